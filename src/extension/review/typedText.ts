/* Texts that a file was found to hold, beside those that Folio wrote. */

import type { Writer } from '../../protocol/values.ts';
import { changesTo, type LineChange, otherWrites, presentText, userWrites } from './fileReview.ts';
import type { FileReview } from './hunk.ts';
import { evenBreakOf, withBreak, withBreaksOf } from './lineBreaks.ts';

/** How the user, or another program, got from the known text to this one can only be guessed: by a diff. */
function withText(review: FileReview, text: string): FileReview {
  return userWrites(review, changesTo(review, text));
}

/** The text that another session left, or somebody whom nobody has seen. */
export function otherText(review: FileReview, text: string, other?: Writer): FileReview {
  const even = withBreaksOf(review, text);
  return otherWrites(even, changesTo(even, text), other);
}

/** The typed text, where it explains the new text; line breaks that the editor evened out are nobody's typing. */
export function typedText(
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
