import type { FileDiff } from '../../protocol/asks.ts';
import { isNotebookPath } from '../notebooks/findFault.ts';
import { cellDiff } from './cellDiff.ts';
import { type FileDiffOptions, lineDiff } from './lineDiff.ts';

/**
 * The difference of two texts as a person sees it; `null`: no file. A line whose break alone changed counts as
 * changed, but breaks are not part of the text shown.
 */
export function fileDiff(
  path: string,
  before: string | null,
  after: string | null,
  options: FileDiffOptions = {},
): FileDiff {
  const byCell = after !== null && isNotebookPath(path) ? cellDiff(path, before, after, options) : undefined;
  return byCell ?? lineDiff(path, before, after, options);
}
