/* How many lines calls have changed in which files. */

import type { FileCounts, SessionEventBody } from '../events.ts';

/** What an ended call did to files. */
export function changedFiles({
  outcome,
  display,
}: Pick<SessionEventBody<'call.ended'>, 'outcome' | 'display'>): readonly FileCounts[] {
  if (outcome !== 'ok') return [];
  if (display.detail?.kind !== 'diff') return display.touched ?? [];
  const { path, added, removed } = display.detail.diff;
  return [{ path, added, removed }];
}

/** The sums with one more file, or more of one. */
export function countFile(files: readonly FileCounts[], file: FileCounts): readonly FileCounts[] {
  const index = files.findIndex(known => known.path === file.path);
  if (index < 0) return [...files, file];
  const known = files[index]!;
  const sum = { path: file.path, added: known.added + file.added, removed: known.removed + file.removed };
  return files.with(index, sum);
}
