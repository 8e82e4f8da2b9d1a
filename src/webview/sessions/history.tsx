import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { IconButton, SearchField } from '../ui/controls.tsx';
import { isPlainKey, moveFocus } from '../ui/keys.ts';
import { SessionGroups } from './sessionGroups.tsx';
import { type SessionSearch, useSessionSearch } from './useSessionSearch.ts';

export function History() {
  const { store } = usePanel();
  const search = useSessionSearch();
  const root = useRef<HTMLElement>(null);
  useLayoutEffect(() => root.current?.querySelector('input')?.focus(), []);
  // Whoever leaves goes on where they write; a page that is not looked at must not take the focus.
  useEffect(
    () => () => {
      if (document.hasFocus()) store.focusWishes.value++;
    },
    [store],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = isPlainKey(event, 'ArrowDown') ? 1 : isPlainKey(event, 'ArrowUp') ? -1 : undefined;
    if (step) moveFocus([...root.current!.querySelectorAll<HTMLElement>('input, .session')], step);
    else if (isPlainKey(event, 'Escape') && search.words.peek() !== '') search.change('');
    else return;
    event.preventDefault();
  };
  return (
    <section class="history" aria-label="History" ref={root} onKeyDown={onKeyDown}>
      <div class="history-head">
        <IconButton
          icon="arrow-left"
          label="Back to the session"
          onPress={() => {
            store.view.value = 'transcript';
          }}
        />
        <h1>History</h1>
      </div>
      <Search search={search} />
      <SessionGroups />
    </section>
  );
}

/** Reads what is typed, so that the list need not. Gone where there is nothing to search. */
function Search({ search: { words, change } }: { readonly search: SessionSearch }) {
  const { store } = usePanel();
  const told = store.sessions.value;
  if (told?.query === '' && told.sessions.length === 0) return null;
  return <SearchField label="Search sessions and chapters" value={words.value} onChange={change} />;
}
