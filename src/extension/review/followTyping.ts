/* Updates a file's review when the file has a text that Folio did not write. */

import type { Writer } from '../../protocol/values.ts';
import { applyOtherWrites, applyUserWrites, changesTo, type LineChange, presentText } from './fileReview.ts';
import type { FileReview } from './hunk.ts';
import { uniformLineBreakOf, withLineBreak, withLineBreaksOf } from './lineBreaks.ts';

/** Adds the new text as the user's. The single edits are unknown, so a diff approximates them. */
function withText(review: FileReview, text: string): FileReview {
  return applyUserWrites(review, changesTo(review, text));
}

/** Returns the review after another session, or an unknown writer, left this text. */
export function followOtherWrite(review: FileReview, text: string, other?: Writer): FileReview {
  const even = withLineBreaksOf(review, text);
  return applyOtherWrites(even, changesTo(even, text), other);
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
  const even = withLineBreaksOf(review, text);
  if (!changes || even.by === 'cells') return withText(even, text);
  const wanted = uniformLineBreakOf(text);
  const inStep = (change: LineChange): LineChange =>
    wanted ? { ...change, lines: change.lines.map(line => withLineBreak(line, wanted)) } : change;
  const typed = changes.reduce((each, change) => applyUserWrites(each, [inStep(change)]), even);
  return presentText(typed) === text ? typed : withText(even, text);
}
