import { type FileReview, type Hunk, pendingHunks, presentText } from './fileReview.ts';
import { lineEdits, splitLines } from './lineEdits.ts';

/**
 * Pending hunks that Git's index holds now and did not hold before.
 * @param before `null`: the file was not in the index
 */
export function stagedHunks(review: FileReview, before: string | null, now: string): readonly Hunk[] {
  const isIn = (text: string) => {
    const edits = lineEdits(evenLines(text), evenLines(presentText(review)));
    return (hunk: Hunk) =>
      edits.every(
        ({ newStart, newCount }) =>
          newStart > hunk.start + hunk.count ||
          newStart + newCount < hunk.start ||
          isBeside(hunk, newStart, newCount),
      );
  };
  const isStaged = isIn(now);
  const wasStaged = before === null ? () => false : isIn(before);
  return pendingHunks(review).filter(hunk => isStaged(hunk) && !wasStaged(hunk));
}

/** Another change that only touches the hunk at its end; lines that are gone may be the hunk's own. */
function isBeside(hunk: Hunk, start: number, count: number): boolean {
  return count > 0 && hunk.count > 0 && (start >= hunk.start + hunk.count || start + count <= hunk.start);
}

/** The index may hold other line breaks than the file. */
function evenLines(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}
