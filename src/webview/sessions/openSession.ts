import type { Host } from '../panel/host.ts';
import type { Store } from '../panel/store.ts';

/** Shows it once it is there; at once where it is shown behind a page. */
export function openSession(store: Store, act: Host['act'], sessionId: string): void {
  store.opening.value = sessionId;
  if (store.session.peek()?.sessionId === sessionId) store.view.value = 'transcript';
  else act({ type: 'session.open', sessionId });
}
