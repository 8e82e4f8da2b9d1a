import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pages that take the focus this often are stopped: between two checks they may read a letter. */
const most = 3;
const checkMs = 200;

/**
 * Says whether the user is in a page. They go in by a press, and are out again with the next key or press elsewhere.
 * A page can take the focus at any time, also from an editor, and with it what is typed there; no browser forbids
 * that. So the focus is taken back, and a page that goes on is stopped.
 */
export function useEntered(
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
    // While the event is delivered, the focus has not arrived yet.
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
    // Before the pressed element goes, or the focus would go to the prompt.
    frame.current.inert = false;
    change(true);
    frame.current.focus();
  };
  return [isIn, enter];
}
