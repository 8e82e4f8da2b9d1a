import { useComputed } from '@preact/signals';
import type { ReviewedFile } from '../../protocol/changes.ts';
import type { PanelReviewPlace } from '../../protocol/intentions.ts';
import { usePanel } from '../panel/panel.ts';
import { groupReviews, isPending, type ReviewGroup, shownAt } from '../panel/pending.ts';
import { handleTranscriptKey } from '../ui/cardKeys.ts';
import { IconButton } from '../ui/controls.tsx';
import { plural } from '../ui/format.ts';
import { ReviewFile } from './reviewFile.tsx';
import { useKeptFocus } from './useKeptFocus.ts';

/** So many files are listed; the multi-file diff editor shows them all. */
const listed = 100;

/** Decides about hunks; `undefined` where a hunk is brought back. */
export type Decide = (kind: 'accept' | 'reject', place: PanelReviewPlace) => void;

export function ReviewList({ reviews }: { readonly reviews: readonly ReviewedFile[] }) {
  const { store, act } = usePanel();
  const chapters = useComputed(() => store.session.value?.chapters ?? []).value;
  const { list, keepFocus } = useKeptFocus(reviews);
  const groups = groupReviews(
    reviews,
    chapters.map(({ id }) => id),
  );
  const decide: Decide = (kind, place) => {
    keepFocus();
    act({ type: `review.${kind}`, place, shown: shownAt(reviews, place) });
  };
  const bringBack = (path: string, hunkId: number) => {
    keepFocus();
    act({ type: 'review.bringBack', path, hunkId });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of changes is no set of form fields.
    <div
      class="review-list"
      role="group"
      aria-label="Changed files"
      data-cards
      tabIndex={-1}
      ref={list}
      onKeyDown={handleTranscriptKey}
    >
      {groups.map(group => (
        <div key={group.chapterId ?? ''} class="review-group">
          {group.chapterId !== undefined && (
            <GroupHead
              title={chapters.find(({ id }) => id === group.chapterId)?.title || 'Opening'}
              group={group}
              decide={decide}
            />
          )}
          {group.files.slice(0, listed).map(file => (
            <ReviewFile
              key={file.path}
              file={file}
              chapterId={group.chapterId}
              isAlone={reviews.length === 1}
              decide={decide}
              bringBack={bringBack}
            />
          ))}
          {group.files.length > listed && (
            <p class="quiet">{plural(group.files.length - listed, 'more file')}: Review shows them all.</p>
          )}
        </div>
      ))}
    </div>
  );
}

interface GroupHeadProps {
  readonly title: string;
  readonly group: ReviewGroup;
  readonly decide: Decide;
}

function GroupHead({ title, group, decide }: GroupHeadProps) {
  const place = { chapterId: group.chapterId };
  return (
    <div class="review-group-head">
      <span class="strip-text ellipsis" title={title}>
        {title}
      </span>
      {group.files.some(file => file.hunks.some(isPending)) && (
        <>
          <IconButton
            icon="check"
            label={`Accept the changes of the chapter ${title}`}
            onPress={() => decide('accept', place)}
          />
          <IconButton
            icon="close"
            label={`Reject the changes of the chapter ${title}`}
            onPress={() => decide('reject', place)}
          />
        </>
      )}
    </div>
  );
}
