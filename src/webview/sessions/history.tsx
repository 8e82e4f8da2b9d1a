import { useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';
import { ListPage } from '../ui/listPage.tsx';
import { SessionGroups } from './sessionGroups.tsx';
import { useSessionSearch } from './useSessionSearch.ts';

export function History() {
  const search = useSessionSearch();
  const isSearchable = useIsSearchable();
  return (
    <ListPage
      title="History"
      rows=".session"
      search={
        isSearchable
          ? { label: 'Search sessions and chapters', words: search.words, onChange: search.change }
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
