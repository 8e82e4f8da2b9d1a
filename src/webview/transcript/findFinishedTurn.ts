/* Reads what the newest turn came to. */

import { addFileCounts, filesNotUndone } from '../../protocol/fold/fileCounts.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelItem, PanelState } from '../../protocol/panel/panelState.ts';
import type { FileCounts } from '../../protocol/values.ts';
import { beginsTurn } from '../panel/turns.ts';

interface Turn {
  readonly id: string;
  readonly files: readonly FileCounts[];
  readonly answer: string;
}

/** Returns `undefined` while the agent works, after a rewind, and if the turn is not fully loaded. */
export function findFinishedTurn(session: PanelState | undefined): Turn | undefined {
  if (session?.activity.status !== 'resting' || session.rewound) return undefined;
  const items: PanelItem[] = [];
  for (const chapter of session.chapters.toReversed()) {
    if (chapter.unloaded !== undefined) return undefined;
    const own = [...iterate(chapter.items)];
    const start = own.findLastIndex(beginsTurn);
    items.unshift(...own.slice(Math.max(start, 0)));
    if (start >= 0) break;
  }
  const [prompt] = items;
  return prompt && beginsTurn(prompt)
    ? { id: prompt.id, files: filesOf(items), answer: answerOf(items) }
    : undefined;
}

function filesOf(items: readonly PanelItem[]): readonly FileCounts[] {
  const changes = items.flatMap(item => (item.type === 'call' ? filesNotUndone(item) : []));
  return changes.reduce(addFileCounts, [] as readonly FileCounts[]);
}

/** Returns the text after the last call. */
function answerOf(items: readonly PanelItem[]): string {
  const last = items.findLastIndex(({ type }) => type === 'call');
  const texts = items.slice(last + 1).flatMap(item => (item.type === 'text' ? [item.text] : []));
  return texts.join('\n\n');
}
