/* Updates a file's review when the file has a text that Folio did not write. */

import type { Writer } from '../../protocol/values.ts';
import { changesTo, type LineChange, otherWrites, presentText, userWrites } from './fileReview.ts';
import type { FileReview } from './hunk.ts';
import { evenBreakOf, withBreak, withBreaksOf } from './lineBreaks.ts';

/** Adds the new text as the user's. The single edits are unknown, so a diff approximates them. */
function withText(review: FileReview, text: string): FileReview {
  return userWrites(review, changesTo(review, text));
}

/** Returns the review after another session, or an unknown writer, left this text. */
export function followOtherWrite(review: FileReview, text: string, other?: Writer): FileReview {
  const even = withBreaksOf(review, text);
  return otherWrites(even, changesTo(even, text), other);
}

/**
 * Returns the review after the user typed this text. Without `changes`, or if they do not lead to it, a diff replaces
 * them. Normalized line breaks do not count as typing.
 *
 * @param changes edits in the order in which they were typed
 */
export function followTyping(
  review: FileReview,
  text: string,
  changes: readonly LineChange[] | undefined,
): FileReview {
  const even = withBreaksOf(review, text);
  if (!changes || even.by === 'cells') return withText(even, text);
  const wanted = evenBreakOf(text);
  const inStep = (change: LineChange): LineChange =>
    wanted ? { ...change, lines: change.lines.map(line => withBreak(line, wanted)) } : change;
  const typed = changes.reduce((each, change) => userWrites(each, [inStep(change)]), even);
  return presentText(typed) === text ? typed : withText(even, text);
}
