import { plural, t } from '../../protocol/language.ts';
import { lastItem } from '../../protocol/pagedList.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { type CompressionItem, newestChapter } from '../../protocol/state.ts';
import { formatTokens } from '../ui/tokens.ts';

interface Change {
  readonly before: number;
  readonly after: number;
}

/** Returns for example `84,000 → 21,000 tokens`. */
export function describeChange({ before, after }: Change): string {
  return t('{0} → {1} tokens', formatTokens(before), formatTokens(after));
}

/** @param hasChapters whether the session has titled chapters at all */
export function describeCompressionLine(item: CompressionItem, hasChapters: boolean): string {
  const change = describeChange(item.tokens);
  return hasChapters && item.chapters > 0
    ? plural(item.chapters, 'one: Summarised {0} chapter: {1} | other: Summarised {0} chapters: {1}', change)
    : t('Summarised the oldest part: {0}', change);
}

/** News of a compression for a screen reader; `undefined` when there is none. */
export function compressionNews(before: PanelState, next: PanelState): string | undefined {
  const { compression: open } = next;
  if (open && !isSameStage(before.compression, open))
    return open.status === 'running'
      ? t('Summarising the oldest part of this session')
      : t(
          'A summary is ready: {0}. Apply, edit or discard it above the prompt.',
          spokenChange(open.plan.tokens),
        );
  const newest = next.compressions.at(-1);
  if (newest && !before.compressions.includes(newest)) {
    const isEdit = before.compressions.some(({ id }) => id === newest.id);
    const what = isEdit ? t('The summary was changed') : t('The oldest part was summarised');
    return `${what}: ${spokenChange(newest.plan.tokens)}`;
  }
  if (next.compressions.length < before.compressions.length) return t('The compression was undone');
  return before.compression && !open ? newsOfEnd(before, next) : undefined;
}

/** Announces the end of a compression. A failed one has a notice with the reason. */
function newsOfEnd(before: PanelState, next: PanelState): string {
  const last = lastItem(newestChapter(next).items);
  const isNew = last !== lastItem(newestChapter(before).items);
  return last?.type === 'notice' && isNew ? last.text : t('The summary was dropped');
}

type Open = PanelState['compression'];

function isSameStage(a: Open, b: Open): boolean {
  return a?.id === b?.id && a?.status === b?.status && planOf(a) === planOf(b);
}

function planOf(open: Open) {
  return open?.status === 'proposed' ? open.plan : undefined;
}

/** Describes a change without an arrow, which some screen readers skip. */
function spokenChange({ before, after }: Change): string {
  return t('{0} to {1} tokens', formatTokens(before), formatTokens(after));
}
