import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface KeptFocus {
  readonly list: RefObject<HTMLDivElement | null>;
  /** To be called before a decision whose answer may take the focused card away. */
  readonly keepFocus: () => void;
}

/**
 * A decision takes its card from the list, and with it the focus. The next card gets it then; when none is left,
 * the transcript. Nothing happens to a focus that has gone elsewhere in the meantime.
 */
export function useKeptFocus(contents: unknown): KeptFocus {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef<number | undefined>(undefined);
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];

  const keepFocus = () => {
    const card = document.activeElement?.closest<HTMLElement>('[data-card]');
    const at = card ? cards().indexOf(card) : -1;
    place.current = at < 0 ? undefined : at;
  };
  useLayoutEffect(() => {
    const at = place.current;
    if (at === undefined || hasFocus()) return;
    place.current = undefined;
    (cards().at(Math.min(at, cards().length - 1)) ?? list.current)?.focus();
  }, [contents]);
  useEffect(
    () => () => {
      if (place.current !== undefined && !hasFocus())
        document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
    },
    [],
  );
  return { list, keepFocus };
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}
