import { lineEdits, splitLines } from '../review/lineEdits.ts';
import type { OffsetEdit } from '../tools/edit/textLines.ts';
import { findOffsetEdit } from './textSpan.ts';

/**
 * Returns the ranges in which two texts differ, in order, one in each group of changed lines. A cursor between them
 * stays where it is.
 */
export function findOffsetEdits(before: string, after: string): readonly OffsetEdit[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  let line = 0;
  let offset = 0;
  return lineEdits(oldLines, newLines).flatMap(({ oldStart, oldCount, newStart, newCount }) => {
    for (; line < oldStart; line++) offset += oldLines[line]!.length;
    const old = oldLines.slice(oldStart, oldStart + oldCount).join('');
    const edit = findOffsetEdit(old, newLines.slice(newStart, newStart + newCount).join(''));
    return edit ? [{ start: offset + edit.start, end: offset + edit.end, text: edit.text }] : [];
  });
}
