import { asLines } from './asLines.ts';
import { pendingHunks, presentText } from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { lineEdits, splitLinesAsLf } from './lineEdits.ts';
import { readUnit, type WholeFile } from './wholeFile.ts';

/** A file in Git's index or in a commit. */
export interface GitFile {
  /** For a symbolic link, its target; `undefined` if the content is binary. */
  readonly text: string | undefined;
  /** In octal digits. */
  readonly mode: string;
  /** Git's object id of its content. */
  readonly blob: string;
}

/** True if no watcher would report the change: a mode or a link. */
export function isUnwatched({ by, mode }: FileReview): boolean {
  return by === 'file' || mode !== undefined;
}

/** True for binary files, of which only the object id tells whether Git has them. */
export function needsObjectId({ by, present }: FileReview): boolean {
  const whole = by === 'file' ? readUnit(present[0]) : null;
  return whole !== null && 'blob' in whole;
}

/**
 * Returns the pending changes that Git has, including the mode.
 * @param file `null` if Git has none
 * @param blob Git's object id of the current content; absent if unknown, or the text suffices
 */
export function changesInGit(review: FileReview, file: GitFile | null, blob?: string): readonly Hunk[] {
  if (review.by === 'file') {
    const isStaged = isSameFile(readUnit(review.present[0]), file, blob);
    return isStaged ? pendingHunks(review) : [];
  }
  const hunks = hunksInText(asLines(review), file?.text ?? null);
  const { mode } = review;
  const isSet = mode?.status === 'pending' && file?.mode === modeOf(mode.executable);
  return isSet ? [mode, ...hunks] : hunks;
}

function isSameFile(whole: WholeFile | null, file: GitFile | null, blob: string | undefined): boolean {
  if (!whole || !file) return whole === file;
  if ('link' in whole) return file.mode === linkMode && file.text === whole.link;
  if (file.mode !== modeOf(whole.executable === true)) return false;
  if (!('text' in whole)) return blob !== undefined && file.blob === blob;
  return file.text?.replaceAll('\r\n', '\n') === whole.text.replaceAll('\r\n', '\n');
}

const linkMode = '120000';

function modeOf(executable: boolean): string {
  return executable ? '100755' : '100644';
}

/** Returns the pending hunks that a text contains unchanged. @param text from Git; `null` if it has no such file */
export function hunksInText(review: FileReview, text: string | null): readonly Hunk[] {
  if (text === null) return [];
  // Git may store other line breaks than the file.
  const edits = lineEdits(splitLinesAsLf(text), splitLinesAsLf(presentText(review)));
  const isIn = (hunk: Hunk) =>
    edits.every(
      ({ newStart, newCount }) =>
        newStart > hunk.start + hunk.count ||
        newStart + newCount < hunk.start ||
        isBeside(hunk, newStart, newCount),
    );
  return pendingHunks(review).filter(isIn);
}

/** True if another change only touches the hunk at its end. Removed lines may belong to the hunk. */
function isBeside(hunk: Hunk, start: number, count: number): boolean {
  return count > 0 && hunk.count > 0 && (start >= hunk.start + hunk.count || start + count <= hunk.start);
}
