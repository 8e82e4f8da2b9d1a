/*
 * Checks that the session still asks the question that a click answers. A click may cross the next question, which
 * looks alike and is in the same place: the same model failed again, the next limit was reached.
 */

import type { ReviewedFile } from '../../../../protocol/changes.ts';
import type { ShownFile } from '../../../../protocol/intentions.ts';
import { iterate } from '../../../../protocol/pagedList.ts';
import { type EndItem, newestChapter, type SessionState } from '../../../../protocol/state.ts';

/** Returns whether the failed model is still the one that the user was asked about. */
export function isFailureAskCurrent({ activity }: SessionState, askId: string): boolean {
  return activity.status === 'choosing' && activity.failure.askId === askId;
}

/** Returns whether the session rests at the end that the user saw. */
export function isRestingAtEnd(state: SessionState, endId: string): boolean {
  if (state.activity.status !== 'resting') return false;
  const ends = [...iterate(newestChapter(state).items)].filter(
    (item): item is EndItem => item.type === 'end',
  );
  return ends.at(-1)?.id === endId;
}

/** Returns the files that are unchanged since the user saw them. */
export function unchangedPaths(
  shown: readonly ShownFile[],
  { reviews }: { readonly reviews: readonly ReviewedFile[] },
): readonly string[] {
  const present = new Map(reviews.map(review => [review.path, review.present]));
  return shown.filter(file => present.get(file.path) === file.present).map(({ path }) => path);
}
