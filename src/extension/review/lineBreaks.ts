import { areUnitsEquivalent, withFormatOf } from './cellFormat.ts';
import type { FileReview } from './hunk.ts';
import type { UnitKind } from './units.ts';

/**
 * An editor converts all line breaks of an edited file to one kind. Nobody decided that about a hunk, so both texts are
 * converted. A text with mixed breaks changes nothing.
 */
export function withLineBreaksOf(review: FileReview, text: string): FileReview {
  if (review.by === 'cells') return withFormatOf(review, text);
  if (review.by === 'file') return review;
  const wanted = uniformLineBreakOf(text);
  const isEven = review.present.every(line => breakOf(line) === '' || breakOf(line) === wanted);
  if (wanted === undefined || isEven) return review;
  const turned = (lines: readonly string[]) => lines.map(line => withLineBreak(line, wanted));
  const hunks = review.hunks.map(hunk => ({ ...hunk, agentLines: turned(hunk.agentLines) }));
  return { ...review, base: turned(review.base), present: turned(review.present), hunks };
}

/** Returns whether lines or cells are the same apart from an editor's formatting. */
export function isSameApartFromFormat(
  one: readonly string[],
  other: readonly string[],
  by: UnitKind,
): boolean {
  if (by === 'cells') return areUnitsEquivalent(one, other);
  return (
    one.length === other.length && one.every((line, i) => line === withLineBreak(other[i]!, breakOf(line)))
  );
}

export function withLineBreak(line: string, wanted: string): string {
  const present = breakOf(line);
  return present === '' || present === wanted ? line : line.slice(0, -present.length) + wanted;
}

/** Returns the only kind of line break in a text; `undefined` if there are several, or none. */
export function uniformLineBreakOf(text: string): '\n' | '\r\n' | undefined {
  const all = text.match(/\r\n|\n|\r/g) ?? [];
  const [first] = all;
  if (first === undefined || first === '\r' || all.some(other => other !== first)) return undefined;
  return first === '\n' ? '\n' : '\r\n';
}

function breakOf(line: string): '' | '\n' | '\r\n' {
  if (line.endsWith('\r\n')) return '\r\n';
  return line.endsWith('\n') ? '\n' : '';
}
