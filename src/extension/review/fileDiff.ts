import type { FileDiff } from '../../protocol/asks.ts';
import { isNotebookPath } from '../notebooks/findFault.ts';
import { splitNotebook } from '../notebooks/notebook.ts';
import { cellDiff } from './cellDiff.ts';
import { type FileDiffOptions, lineDiff } from './lineDiff.ts';

/**
 * Returns the difference of two texts for display; `null` for no file. A line whose break alone changed counts as
 * changed, but breaks are not shown.
 */
export function fileDiff(
  path: string,
  before: string | null,
  after: string | null,
  options: FileDiffOptions = {},
): FileDiff {
  const byCell = after !== null && isNotebookPath(path) ? cellDiff(path, before, after, options) : undefined;
  const byLine = () => lineDiff(path, before, after, options);
  return byCell ?? deletedNotebook(path, before, after, byLine) ?? byLine();
}

/** Shown as text, but counted in cells like other changes of notebooks. */
function deletedNotebook(
  path: string,
  before: string | null,
  after: string | null,
  byLine: () => FileDiff,
): FileDiff | undefined {
  if (before === null || after !== null || !isNotebookPath(path)) return undefined;
  const cells = splitNotebook(before)?.cells.length;
  return cells === undefined ? undefined : { ...byLine(), added: 0, removed: 0, cells };
}
