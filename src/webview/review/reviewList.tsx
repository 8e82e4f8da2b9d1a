import { useComputed } from '@preact/signals';
import type { ReviewedFile } from '../../protocol/changes.ts';
import { plural, t } from '../../protocol/language.ts';
import { isPending } from '../../protocol/pending.ts';
import { usePanel } from '../panel/panel.ts';
import {
  type Grouping,
  groupingOf,
  groupings,
  groupReviews,
  type ReviewGroup,
  shownFilesAt,
} from '../panel/pending.ts';
import { handleTranscriptKey } from '../ui/cardKeys.ts';
import { IconButton, Picker } from '../ui/controls.tsx';
import { firstOf } from '../ui/format.ts';
import { ReviewFile } from './reviewFile.tsx';
import type { DecideHunk } from './reviewHunk.tsx';

/** Maximum number of files shown. The multi-file diff editor shows all. */
const listed = 100;

export function ReviewList({ reviews }: { readonly reviews: readonly ReviewedFile[] }) {
  const { store, act } = usePanel();
  const chapters = useComputed(() => store.session.value?.chapters ?? []).value;
  const grouping = groupingOf(reviews, store.grouping.value);
  const groups = groupReviews(reviews, grouping, chapters);
  const decide: DecideHunk = (kind, place) =>
    act({ type: `review.${kind}`, place, shown: shownFilesAt(reviews, place) });
  const bringBack = (path: string, hunkId: number) => act({ type: 'review.bringBack', path, hunkId });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of changes is no set of form fields.
    <div
      class="review-list"
      role="group"
      aria-label={t('Changed files')}
      data-cards
      tabIndex={-1}
      onKeyDown={handleTranscriptKey}
    >
      {reviews.length + (reviews[0]?.hunks.length ?? 0) > 2 && (
        <GroupingChoice grouping={grouping} onPick={picked => (store.grouping.value = picked)} />
      )}
      {groups.map(group => (
        <div key={group.title ?? ''} class="review-group">
          {group.title !== undefined && <GroupHead title={group.title} group={group} decide={decide} />}
          {firstOf(group.files, listed).map(file => (
            <ReviewFile
              key={file.path}
              file={file}
              place={group.place}
              isAlone={reviews.length === 1}
              decide={decide}
              bringBack={bringBack}
            />
          ))}
          {group.files.length > listed + 1 && (
            <p class="quiet">
              {plural(
                group.files.length - listed,
                'one: {0} more file: Review shows them all. | other: {0} more files: Review shows them all.',
              )}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

const groupingNames = (): Readonly<Record<Grouping, string>> => ({
  file: t('File'),
  chapter: t('Chapter'),
  writer: t('Writer'),
});

interface GroupingChoiceProps {
  readonly grouping: Grouping;
  readonly onPick: (grouping: Grouping) => void;
}

function GroupingChoice({ grouping, onPick }: GroupingChoiceProps) {
  return (
    <div class="review-grouping">
      <span aria-hidden="true">{t('Group by')}</span>
      <Picker
        label={t('Group changes by')}
        value={grouping}
        choices={groupings.map(value => ({ value, label: groupingNames()[value] }))}
        onPick={picked => onPick(groupings.find(each => each === picked) ?? grouping)}
      />
    </div>
  );
}

interface GroupHeadProps {
  readonly title: string;
  readonly group: ReviewGroup;
  readonly decide: DecideHunk;
}

function GroupHead({ title, group, decide }: GroupHeadProps) {
  const { place } = group;
  const isDecidable = place.chapterId !== undefined || place.writer !== undefined;
  return (
    <div class="review-group-head">
      <h2
        class={place.writer === undefined ? 'strip-text ellipsis' : 'strip-text ellipsis writer'}
        title={title}
        data-chapter-heading
        tabIndex={-1}
      >
        {title}
      </h2>
      {isDecidable && group.files.some(file => file.hunks.some(isPending)) && (
        <>
          <IconButton
            icon="check"
            label={
              place.writer === undefined
                ? t('Accept the changes of the chapter {0}', title)
                : t('Accept the changes by {0}', title)
            }
            onPress={() => decide('accept', place)}
          />
          <IconButton
            icon="close"
            label={
              place.writer === undefined
                ? t('Reject the changes of the chapter {0}', title)
                : t('Reject the changes by {0}', title)
            }
            onPress={() => decide('reject', place)}
          />
        </>
      )}
    </div>
  );
}
