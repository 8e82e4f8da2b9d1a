import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { isPlainKey } from '../ui/keys.ts';
import { ListPage, type ListSearch } from '../ui/listPage.tsx';
import { SessionGroups } from './sessionGroups.tsx';

export function HistoryPage() {
  const { isAwaited, ...search } = useSessionSearch();
  const isSearchable = useIsSearchable();
  const hasWords = useComputed(() => search.words.value.trim() !== '').value;
  return (
    <ListPage title={t('History')} rows=".session" search={isSearchable ? search : undefined}>
      <p class={isAwaited ? 'list-empty' : 'sr-only'} role="status">
        {isAwaited
          ? t('Searching… Then the first match opens. Escape stops that.')
          : hasWords && t('Enter opens the first match.')}
      </p>
      <SessionGroups />
    </ListPage>
  );
}

/** Returns false if there are no sessions to search. */
function useIsSearchable(): boolean {
  const { store } = usePanel();
  return useComputed(() => {
    const reported = store.sessions.value;
    return reported?.query !== '' || reported.sessions.length > 0;
  }).value;
}

interface SessionSearch extends ListSearch {
  /** True after Enter: the first match opens once the host has answered. */
  readonly isAwaited: boolean;
}

/** Delay after the last key before the host searches. */
const pauseMs = 100;

/** Searches in the host, which also knows prompts. Earlier results stay meanwhile. */
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
    // An empty field must not show results of an earlier search.
    if (store.sessions.peek()?.query) store.sessions.value = undefined;
    ask();
    return () => clearTimeout(timer.current);
  }, []);
  const onChange = (typed: string) => {
    words.value = typed;
    timer.current ??= window.setTimeout(ask, pauseMs);
  };
  // Enter waits for the answer, instead of opening an outdated first row. Any other key cancels that.
  const isAwaited = useSignal(false);
  const isAnswered = useComputed(() => store.sessions.value?.query === words.value.trim()).value;
  const onKey = (event: KeyboardEvent) => {
    const wasAwaited = isAwaited.peek();
    const isMeant = (event.target as Element).matches('.search-field input')
      ? words.peek().trim() !== ''
      : !isAnswered && event.target === firstRow();
    isAwaited.value = isMeant && isPlainKey(event, 'Enter');
    return isAwaited.peek() || (wasAwaited && isPlainKey(event, 'Escape'));
  };
  useLayoutEffect(() => {
    if (!isAwaited.value || !isAnswered) return;
    isAwaited.value = false;
    firstRow()?.click();
  });
  return {
    label: t('Search prompts, answers and files'),
    words,
    onChange,
    onKey,
    isAwaited: isAwaited.value,
  };
}

function firstRow(): HTMLElement | null {
  return document.querySelector('.session-row:not(.deleted) .session');
}
