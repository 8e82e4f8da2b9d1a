import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel/panel.ts';

export interface SessionSearch {
  readonly words: Signal<string>;
  readonly change: (words: string) => void;
}

/** Who types quickly must not have the host search for every letter. */
const pauseMs = 100;

/** The host searches: it knows the prompts too. While it does, what it found before stays. */
export function useSessionSearch(): SessionSearch {
  const { store, act } = usePanel();
  const words = useSignal('');
  const timer = useRef<number | undefined>(undefined);
  const ask = () => {
    timer.current = undefined;
    store.sessionQuery.value = words.peek().trim();
    act({ type: 'sessions.list', query: store.sessionQuery.peek() });
  };
  useEffect(() => {
    // What was found for other words has nothing to do with an empty field.
    if (store.sessions.peek()?.query) store.sessions.value = undefined;
    ask();
    return () => clearTimeout(timer.current);
  }, []);
  const change = (typed: string) => {
    words.value = typed;
    timer.current ??= window.setTimeout(ask, pauseMs);
  };
  return { words, change };
}
