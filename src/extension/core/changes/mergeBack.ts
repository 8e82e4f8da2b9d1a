import { agentWrites, baseText, beginReview, changesTo, personWrites } from '../../review/fileReview.ts';
import type { Units } from '../../review/units.ts';

/** Folio left a text, others made another one of it. */
export interface MergeStep {
  readonly left: string;
  readonly found: string;
}

/**
 * Three-way, over as many rounds as there were: what others did to Folio's texts is done to the text that is put
 * back, and what Folio did is left out.
 *
 *     wanted ─Folio► left ─others► found ─Folio► left ─others► found
 *        └────────────────others──────────────────────others───────► the result
 *
 * `undefined`: others wrote into what Folio had written, so that one cannot be had without the other.
 */
export function mergeBack(wanted: string, steps: readonly MergeStep[], by: Units): string | undefined {
  let review = beginReview(wanted, by);
  for (const { left, found } of steps) {
    review = agentWrites(review, changesTo(review, left), '');
    review = personWrites(review, changesTo(review, found));
    if (review.hunks.some(hunk => hunk.touched)) return undefined;
  }
  // Lines that come from both sides of a last line without a line break would run into one.
  const isWhole =
    by === 'cells' || review.base.every((line, i) => line.endsWith('\n') || i === review.base.length - 1);
  return isWhole ? baseText(review) : undefined;
}
