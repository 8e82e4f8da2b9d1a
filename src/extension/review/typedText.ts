/* Texts that a file was found to hold, beside those that Folio wrote. */

import type { Writer } from '../../protocol/values.ts';
import { saySame, withFormatOf } from './cellFormat.ts';
import { changesTo, type LineChange, otherWrites, personWrites, presentText } from './fileReview.ts';
import type { FileReview } from './hunk.ts';
import type { Units } from './units.ts';

/** How the person, or another program, got from the known text to this one can only be guessed: by a diff. */
function withText(review: FileReview, text: string): FileReview {
  return personWrites(review, changesTo(review, text));
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
  const typed = changes.reduce((each, change) => personWrites(each, [inStep(change)]), even);
  return presentText(typed) === text ? typed : withText(even, text);
}

/** Editors unify line breaks on typing. That decides nothing, so the review takes them over. */
function withBreaksOf(review: FileReview, text: string): FileReview {
  if (review.by === 'cells') return withFormatOf(review, text);
  if (review.by === 'file') return review;
  const wanted = evenBreakOf(text);
  const isEven = review.present.every(line => breakOf(line) === '' || breakOf(line) === wanted);
  if (wanted === undefined || isEven) return review;
  const turned = (lines: readonly string[]) => lines.map(line => withBreak(line, wanted));
  const hunks = review.hunks.map(hunk => ({ ...hunk, agentLines: turned(hunk.agentLines) }));
  return { ...review, base: turned(review.base), present: turned(review.present), hunks };
}

export function isSameSaved(one: readonly string[], other: readonly string[], by: Units): boolean {
  if (by === 'cells') return saySame(one, other);
  return one.length === other.length && one.every((line, i) => line === withBreak(other[i]!, breakOf(line)));
}

function withBreak(line: string, wanted: string): string {
  const present = breakOf(line);
  return present === '' || present === wanted ? line : line.slice(0, -present.length) + wanted;
}

function evenBreakOf(text: string): '\n' | '\r\n' | undefined {
  const all = text.match(/\r\n|\n|\r/g) ?? [];
  const [first] = all;
  if (first === undefined || first === '\r' || all.some(other => other !== first)) return undefined;
  return first === '\n' ? '\n' : '\r\n';
}

function breakOf(line: string): '' | '\n' | '\r\n' {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : '';
}
