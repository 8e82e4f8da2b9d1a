import { pendingHunks, presentText } from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { lineEdits, splitLines } from './lineEdits.ts';

/** Pending hunks that a text holds as they stand in the file. @param text Git's index has it; `null`: it has no such file */
export function hunksIn(review: FileReview, text: string | null): readonly Hunk[] {
  if (text === null) return [];
  const edits = lineEdits(evenLines(text), evenLines(presentText(review)));
  const isIn = (hunk: Hunk) =>
    edits.every(
      ({ newStart, newCount }) =>
        newStart > hunk.start + hunk.count ||
        newStart + newCount < hunk.start ||
        isBeside(hunk, newStart, newCount),
    );
  return pendingHunks(review).filter(isIn);
}

/** Another change that only touches the hunk at its end; lines that are gone may be the hunk's own. */
function isBeside(hunk: Hunk, start: number, count: number): boolean {
  return count > 0 && hunk.count > 0 && (start >= hunk.start + hunk.count || start + count <= hunk.start);
}

/** The index may hold other line breaks than the file. */
function evenLines(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}
