import { iterate } from '../../protocol/pagedList.ts';
import type { CallItem, Item, SessionState } from '../../protocol/state.ts';

export function findCall(state: SessionState, callId: string): CallItem | undefined {
  for (const call of listCalls(state)) if (call.id === callId) return call;
  return undefined;
}

/** Searches the newest chapter first, including the work of subagents. */
export function findItem(state: SessionState, id: string): Item | undefined {
  for (const chapter of state.chapters.toReversed()) {
    for (const item of iterate(chapter.items)) {
      if (item.id === id) return item;
      const inner = item.type === 'call' && item.agent ? findItem(item.agent.session, id) : undefined;
      if (inner) return inner;
    }
  }
  return undefined;
}

/** Yields every call of the session, oldest first, each subagent's calls after the call that started it. */
export function* listCalls(state: SessionState): Generator<CallItem> {
  for (const chapter of state.chapters) {
    for (const item of iterate(chapter.items)) {
      if (item.type !== 'call') continue;
      yield item;
      if (item.agent) yield* listCalls(item.agent.session);
    }
  }
}
