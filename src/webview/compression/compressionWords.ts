/* Compressions in words, for lines, names and screen readers. */

import { lastItem } from '../../protocol/pages.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { type CompressionItem, liveChapter } from '../../protocol/state.ts';
import { plural } from '../ui/format.ts';
import { formatTokens } from '../ui/tokens.ts';

interface Change {
  readonly before: number;
  readonly after: number;
}

/** `84,000 → 21,000 tokens`. */
export function describeChange({ before, after }: Change): string {
  return `${formatTokens(before)} → ${formatTokens(after)} tokens`;
}

/** @param hasChapters whether the session has titled chapters at all */
export function describeLine(item: CompressionItem, hasChapters: boolean): string {
  const what = hasChapters && item.chapters > 0 ? plural(item.chapters, 'chapter') : 'the oldest part';
  return `Summarised ${what}: ${describeChange(item.tokens)}`;
}

/** News of a compression for a screen reader; `undefined` when there is none. */
export function compressionNews(before: PanelState, next: PanelState): string | undefined {
  const { compression: open } = next;
  if (open && !isSameStage(before.compression, open))
    return open.status === 'running'
      ? 'Summarising the oldest part of this session'
      : `A summary is ready: ${spokenChange(open.plan.tokens)}. Apply, edit or discard it above the prompt.`;
  const newest = next.compressions.at(-1);
  if (newest && !before.compressions.includes(newest)) {
    const isEdit = before.compressions.some(({ id }) => id === newest.id);
    const what = isEdit ? 'The summary was changed' : 'The oldest part was summarised';
    return `${what}: ${spokenChange(newest.plan.tokens)}`;
  }
  if (next.compressions.length < before.compressions.length) return 'The compression was undone';
  return before.compression && !open ? newsOfEnd(before, next) : undefined;
}

/** A failed one leaves a notice that says why. */
function newsOfEnd(before: PanelState, next: PanelState): string {
  const last = lastItem(liveChapter(next).items);
  const isNew = last !== lastItem(liveChapter(before).items);
  return last?.type === 'notice' && isNew ? last.text : 'The summary was dropped';
}

type Open = PanelState['compression'];

function isSameStage(a: Open, b: Open): boolean {
  return a?.id === b?.id && a?.status === b?.status && planOf(a) === planOf(b);
}

function planOf(open: Open) {
  return open?.status === 'proposed' ? open.plan : undefined;
}

/** An arrow is not read aloud everywhere. */
function spokenChange({ before, after }: Change): string {
  return `${formatTokens(before)} to ${formatTokens(after)} tokens`;
}
