/* The pending reviews, grouped. */

import { type ReviewedFile, type ReviewedHunk, writerNames } from '../../protocol/changes.ts';
import type { PanelReviewPlace, ShownFile } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { isPending } from '../../protocol/pending.ts';

export function chaptersWithPending(reviews: readonly ReviewedFile[]): ReadonlySet<string> {
  return new Set(reviews.flatMap(review => review.hunks.filter(isPending).flatMap(hunk => hunk.chapterIds)));
}

/** The files that a decision at this place is about, as they are shown. */
export function shownAt(reviews: readonly ReviewedFile[], place: PanelReviewPlace): readonly ShownFile[] {
  const { chapterId, writer } = place;
  const isMeant = ({ hunks }: ReviewedFile) =>
    hunks.some(
      hunk =>
        (chapterId === undefined || hunk.chapterIds.includes(chapterId)) &&
        (writer === undefined || writerNames(hunk).includes(writer)),
    );
  return reviews
    .filter(review => (place.path ?? review.path) === review.path && isMeant(review))
    .map(({ path, present }) => ({ path, present }));
}

export const groupings = ['file', 'chapter', 'writer'] as const;

export type Grouping = (typeof groupings)[number];

export interface ReviewGroup {
  /** The place that a decision about the group names, beside a file. */
  readonly place: PanelReviewPlace;
  /** Absent: the only group. */
  readonly title?: string;
  /** With the hunks of the group alone. */
  readonly files: readonly ReviewedFile[];
}

/** By chapter where several have pending changes and the user wants nothing else. */
export function groupingOf(reviews: readonly ReviewedFile[], chosen: Grouping | undefined): Grouping {
  return chosen ?? (chaptersWithPending(reviews).size < 2 ? 'file' : 'chapter');
}

/**
 * A hunk that several chapters or writers wrote stands in each of their groups, as a decision about any of them
 * includes it.
 * @param chapters as they follow each other
 */
export function groupReviews(
  reviews: readonly ReviewedFile[],
  grouping: Grouping,
  chapters: readonly { readonly id: string; readonly title: string }[],
): readonly ReviewGroup[] {
  const within = (isIn: (hunk: ReviewedHunk) => boolean) =>
    reviews.flatMap(review => {
      const hunks = review.hunks.filter(isIn);
      return hunks.length > 0 ? [{ ...review, hunks }] : [];
    });
  const hunks = reviews.flatMap(review => review.hunks);
  switch (grouping) {
    case 'file':
      return [{ place: {}, files: reviews }];
    case 'chapter': {
      const order = chapters.map(({ id }) => id);
      const ids = [...new Set(hunks.flatMap(hunk => hunk.chapterIds))];
      return ids
        .sort((a, b) => order.indexOf(a) - order.indexOf(b))
        .map(chapterId => ({
          place: { chapterId },
          title: chapters.find(({ id }) => id === chapterId)?.title || t('Opening'),
          files: within(hunk => hunk.chapterIds.includes(chapterId)),
        }));
    }
    case 'writer': {
      const names = [...new Set(hunks.flatMap(writerNames))];
      const named = names.map(writer => ({
        place: { writer },
        title: writer,
        files: within(hunk => writerNames(hunk).includes(writer)),
      }));
      // Changes that an earlier version recorded name nobody, so nothing decides about all of them at once.
      const others = within(hunk => writerNames(hunk).length === 0);
      return others.length > 0 ? [...named, { place: {}, title: t('Unknown author'), files: others }] : named;
    }
  }
}
