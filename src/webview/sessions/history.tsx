import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { ListPage } from '../ui/listPage.tsx';
import { SessionGroups } from './sessionGroups.tsx';

export function History() {
  const search = useSessionSearch();
  const isSearchable = useIsSearchable();
  return (
    <ListPage
      title={t('History')}
      rows=".session"
      search={
        isSearchable
          ? { label: t('Search sessions and chapters'), words: search.words, onChange: search.change }
          : undefined
      }
    >
      <SessionGroups />
    </ListPage>
  );
}

/** Not where there is nothing to search. */
function useIsSearchable(): boolean {
  const { store } = usePanel();
  return useComputed(() => {
    const told = store.sessions.value;
    return told?.query !== '' || told.sessions.length > 0;
  }).value;
}

interface SessionSearch {
  readonly words: Signal<string>;
  readonly change: (words: string) => void;
}

/** A person who types quickly must not have the host search for every letter. */
const pauseMs = 100;

/** The host searches: it knows the prompts too. While it does, what it found before stays. */
function useSessionSearch(): SessionSearch {
  const { store, act } = usePanel();
  const words = useSignal('');
  const timer = useRef<number | undefined>(undefined);
  const ask = () => {
    timer.current = undefined;
    store.sessionQuery.value = words.peek().trim();
    act({ type: 'sessions.list', query: store.sessionQuery.peek() });
  };
  useEffect(() => {
    // Sessions that were found for other words have nothing to do with an empty field.
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
