/* Rows for the parts of the context, in the order of a request, then the free part. */

import { plural, t } from '../../protocol/language.ts';
import type { ContextBreakdown, ContextPart } from '../../protocol/panel/context.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { chapterLabel } from './chapterName.ts';

type RowKind = ContextPart['kind'] | 'free';

export interface ContextRow {
  readonly key: string;
  readonly kind: RowKind;
  readonly name: string;
  readonly tokens: number;
  /** Share of the limit. */
  readonly share: number;
}

const listedChapters = 8;

/** Returns the rows, chapters newest first. The smallest of many chapters are joined. */
export function rowsOfContext(
  breakdown: ContextBreakdown,
  chapters: readonly PanelChapter[],
): readonly ContextRow[] {
  const { limit, used, parts } = breakdown;
  const row = (key: string, kind: RowKind, name: string, tokens: number): ContextRow => ({
    key,
    kind,
    name,
    tokens,
    share: limit > 0 ? tokens / limit : 0,
  });
  const sent = parts.filter(({ tokens }) => tokens > 0);
  const fixed = sent.flatMap(part =>
    part.kind === 'chapter' ? [] : [row(part.kind, part.kind, names()[part.kind], part.tokens)],
  );
  const { listed, joined } = joinSmallest(sent.filter(part => part.kind === 'chapter').reverse());
  const rows = listed.map(({ chapterId, tokens }) =>
    row(chapterId, 'chapter', chapterLabel(chapterId, chapters), tokens),
  );
  const joinedTokens = joined.reduce((sum, { tokens }) => sum + tokens, 0);
  if (joined.length > 0)
    rows.push(
      row(
        'joined',
        'chapter',
        plural(joined.length, 'one: {0} earlier chapter | other: {0} earlier chapters'),
        joinedTokens,
      ),
    );
  return [...fixed, ...rows, row('free', 'free', t('Free'), Math.max(0, limit - used))];
}

type ChapterPart = Extract<ContextPart, { kind: 'chapter' }>;

/** Joins the smallest chapters, never the newest. */
function joinSmallest(newestFirst: readonly ChapterPart[]): {
  readonly listed: readonly ChapterPart[];
  readonly joined: readonly ChapterPart[];
} {
  if (newestFirst.length <= listedChapters) return { listed: newestFirst, joined: [] };
  const bySize = newestFirst.slice(1).sort((a, b) => b.tokens - a.tokens);
  const joined = new Set(bySize.slice(listedChapters - 2));
  return { listed: newestFirst.filter(part => !joined.has(part)), joined: [...joined] };
}

const names = (): Readonly<Record<Exclude<ContextPart['kind'], 'chapter'>, string>> => ({
  system: t('System instructions'),
  tools: t('Tools'),
  memory: t('Memory files'),
  files: t('Attached files'),
  summary: t('Summary'),
});
