import { useEffect } from 'preact/hooks';
import { usePanel } from '../panel/panel.ts';

/** Returns the inbox. Requests it with each mount, since another window may have changed it. */
export function useInbox() {
  const { store, act } = usePanel();
  useEffect(() => act({ type: 'panel.inbox' }), [act]);
  return store.inbox.value;
}
