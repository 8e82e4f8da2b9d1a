import { iterate, type Pages } from '../../protocol/pages.ts';
import type { PanelCall, PanelItem } from '../../protocol/panel/panelState.ts';
import { liveChapter } from '../../protocol/state.ts';

interface FoundCall {
  readonly call: PanelCall;
  /** The name of the subagent that made it. */
  readonly agent?: string;
}

/** Every call of these items in order, each with those that its subagent made behind it. */
export function* everyCall(items: Pages<PanelItem>, agent?: string): Generator<FoundCall> {
  for (const item of iterate(items)) {
    if (item.type !== 'call') continue;
    yield { call: item, agent };
    if (item.agent) yield* everyCall(liveChapter(item.agent.session).items, item.agent.name);
  }
}
