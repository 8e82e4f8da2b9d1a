import { useEffect } from 'preact/hooks';
import { usePanel } from '../panel/panel.ts';

/** Gives the inbox as the host last listed it; asks again with each mount, since another window may have changed it. */
export function useInbox() {
  const { store, act } = usePanel();
  useEffect(() => act({ type: 'panel.inbox' }), [act]);
  return store.inbox.value;
}
