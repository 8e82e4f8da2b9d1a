import type { Range } from 'vscode';
import type { LineRange } from '../../protocol/values.ts';

/** Excludes the last line of a range that ends at its start. */
export function linesOf({ start, end }: Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { startLine: start.line + 1, endLine: last + 1 };
}
