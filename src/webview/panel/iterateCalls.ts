import { iterate, type PagedList } from '../../protocol/pagedList.ts';
import type { PanelCall, PanelItem } from '../../protocol/panel/panelState.ts';
import { newestChapter } from '../../protocol/state.ts';

interface FoundCall {
  readonly call: PanelCall;
  /** Name of the subagent that made the call. */
  readonly agent?: string;
}

/** Yields the calls of items in order, each followed by those of its subagent. */
export function* iterateCalls(items: PagedList<PanelItem>, agent?: string): Generator<FoundCall> {
  for (const item of iterate(items)) {
    if (item.type !== 'call') continue;
    yield { call: item, agent };
    if (item.agent) yield* iterateCalls(newestChapter(item.agent.session).items, item.agent.name);
  }
}
