/* Sums over chapters that headings and strips say. */

import type { FileCounts as ChapterFile } from '../../protocol/events.ts';
import type { Chapter } from '../../protocol/state.ts';
import { formatCount, formatDuration, plural } from '../ui/format.ts';

export interface FileTotals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** A file that several chapters touched counts once. */
export function totalFiles(files: readonly ChapterFile[]): FileTotals {
  const paths = new Set(files.map(file => file.path));
  return {
    files: paths.size,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  };
}

/** Tokens and time of a chapter; what is zero is left out. */
export function describeCost(chapter: Chapter): string {
  const { prompt, output, thoughts } = chapter.usage;
  const tokens = prompt + output + thoughts;
  const time = chapter.endedAt === undefined ? 0 : chapter.endedAt - chapter.startedAt;
  return [
    chapter.calls > 0 ? plural(chapter.calls, 'call') : '',
    tokens > 0 ? `${formatCount(tokens)} tokens` : '',
    time >= 1000 ? formatDuration(time) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
