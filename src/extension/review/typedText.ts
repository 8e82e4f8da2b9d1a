/* Follows texts found in a file that Folio did not write. */

import type { Writer } from '../../protocol/values.ts';
import { changesTo, type LineChange, otherWrites, presentText, userWrites } from './fileReview.ts';
import type { FileReview } from './hunk.ts';
import { evenBreakOf, withBreak, withBreaksOf } from './lineBreaks.ts';

/** The edits by the user or another program are unknown, so a diff approximates them. */
function withText(review: FileReview, text: string): FileReview {
  return userWrites(review, changesTo(review, text));
}

/** Follows the text that another session, or an unknown writer, left. */
export function otherText(review: FileReview, text: string, other?: Writer): FileReview {
  const even = withBreaksOf(review, text);
  return otherWrites(even, changesTo(even, text), other);
}

/** Uses the typed text if it explains the new one. Normalized line breaks do not count as typing. */
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
