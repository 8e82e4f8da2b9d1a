import type { HostPort } from '../panel/host.ts';
import type { Store } from '../panel/store.ts';

/** Opens a session, and shows the transcript once it has arrived. */
export function openSession(store: Store, act: HostPort['act'], sessionId: string): void {
  store.opening.value = sessionId;
  if (store.session.peek()?.sessionId === sessionId) store.view.value = 'transcript';
  else act({ type: 'session.open', sessionId });
}
