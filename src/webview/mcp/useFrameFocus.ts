import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Number of focus grabs after which a page is stopped. Between two checks it may read a keystroke. */
const most = 3;
const checkMs = 200;

/**
 * Tracks whether the user is in a page: from a click into it until the next key or click elsewhere. A page can grab the
 * focus at any time, also from an editor, and read what is typed; browsers do not prevent that. So the focus is taken
 * back, and a page that repeats it is stopped.
 */
export function useFrameFocus(
  frame: RefObject<HTMLIFrameElement | null>,
  stop: () => void,
): readonly [isIn: boolean, enter: () => void] {
  const [isIn, setIn] = useState(false);
  const now = useRef({ isIn: false, thefts: 0 }).current;
  const change = (next: boolean) => {
    now.isIn = next;
    setIn(next);
  };
  useEffect(() => {
    let before: HTMLElement | undefined;
    const check = () => {
      if (now.isIn && !document.hasFocus()) change(false);
      const isInFrame = frame.current !== null && document.activeElement === frame.current;
      if (now.isIn || !isInFrame || !document.hasFocus()) return;
      now.thefts += 1;
      if (now.thefts >= most) stop();
      window.focus();
      if (before?.isConnected) before.focus();
      else frame.current?.blur();
    };
    const onElsewhere = ({ type, target }: Event) => {
      if (target === frame.current) return;
      if (type === 'focusin' && target instanceof HTMLElement) before = target;
      if (now.isIn) change(false);
    };
    // During the event the focus has not arrived yet.
    const onBlur = () => setTimeout(check);
    const events = ['keydown', 'pointerdown', 'focusin'];
    for (const event of events) window.addEventListener(event, onElsewhere, true);
    window.addEventListener('blur', onBlur);
    const timer = setInterval(check, checkMs);
    if (document.activeElement instanceof HTMLElement) before = document.activeElement;
    return () => {
      for (const event of events) window.removeEventListener(event, onElsewhere, true);
      window.removeEventListener('blur', onBlur);
      clearInterval(timer);
    };
  }, []);
  const enter = () => {
    if (!frame.current) return;
    // Before the pressed element unmounts, or the focus would move to the prompt.
    frame.current.inert = false;
    change(true);
    frame.current.focus();
  };
  return [isIn, enter];
}
