import type { HostPort } from '../panel/host.ts';
import type { Store } from '../panel/store.ts';

/** Opens a session, and shows the transcript once it has arrived. */
export function openSession(store: Store, act: HostPort['act'], sessionId: string, query?: string): void {
  store.opening.value = sessionId;
  const isShown = store.session.peek()?.sessionId === sessionId;
  if (isShown) store.view.value = 'transcript';
  if (!isShown || query) act({ type: 'session.open', sessionId, query: query || undefined });
}
