import { type ReviewedFile, type ReviewedHunk, writerNames } from '../../protocol/changes.ts';
import type { PanelReviewPlace, ShownFile } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { isPending } from '../../protocol/pending.ts';

export function chaptersWithPending(reviews: readonly ReviewedFile[]): ReadonlySet<string> {
  return new Set(reviews.flatMap(review => review.hunks.filter(isPending).flatMap(hunk => hunk.chapterIds)));
}

/** Returns the shown files that a decision at this place covers. */
export function shownFilesAt(
  reviews: readonly ReviewedFile[],
  place: PanelReviewPlace,
): readonly ShownFile[] {
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
  /** Place of a decision about the group, besides the file. */
  readonly place: PanelReviewPlace;
  /** Absent if it is the only group. */
  readonly title?: string;
  /** Files with only the hunks of the group. */
  readonly files: readonly ReviewedFile[];
}

/** Returns the chosen grouping, otherwise by chapter if several have pending changes. */
export function groupingOf(reviews: readonly ReviewedFile[], chosen: Grouping | undefined): Grouping {
  return chosen ?? (chaptersWithPending(reviews).size < 2 ? 'file' : 'chapter');
}

/**
 * Groups reviews. A hunk of several chapters or writers is in each of their groups, since a decision about any of them
 * includes it.
 * @param chapters in order
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
      // Changes of earlier versions have no writers, so no decision can cover this group.
      const others = within(hunk => writerNames(hunk).length === 0);
      return others.length > 0 ? [...named, { place: {}, title: t('Unknown author'), files: others }] : named;
    }
  }
}
