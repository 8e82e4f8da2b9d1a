import { iterate } from '../../protocol/pages.ts';
import type { CallItem, SessionState } from '../../protocol/state.ts';

export function findCall(state: SessionState, callId: string): CallItem | undefined {
  for (const call of listCalls(state)) if (call.id === callId) return call;
  return undefined;
}

/** Every call of the session, oldest first. */
export function* listCalls(state: SessionState): Generator<CallItem> {
  for (const chapter of state.chapters) {
    for (const item of iterate(chapter.items)) if (item.type === 'call') yield item;
  }
}
