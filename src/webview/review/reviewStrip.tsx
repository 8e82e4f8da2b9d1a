import { useRef } from 'preact/hooks';
import type { ReviewedFile } from '../../protocol/changes.ts';
import { plural, t } from '../../protocol/language.ts';
import { totalPending } from '../../protocol/pending.ts';
import { usePanel } from '../panel/panel.ts';
import { shownFilesAt } from '../panel/pending.ts';
import { IconButton, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { focusPrompt } from '../ui/keepFocus.ts';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { ChangeCounts } from './changeCounts.tsx';
import { ReviewList } from './reviewList.tsx';

/** Pending reviews in a line that unfolds. Hidden if nothing is left to decide or restore. */
export function ReviewStrip() {
  const { store, act } = usePanel();
  const reviews = store.reviews.value;
  const [isOpen, toggle] = useCardOpen('review', false);
  const strip = useRef<HTMLElement>(null);
  useFocusInPlace(strip, '[data-card]', focusPrompt);
  if (reviews.length === 0) return null;
  const hasPending = totalPending(reviews).files > 0;
  return (
    <section class="review" aria-label={t('Changes to review')} ref={strip}>
      <div class="strip">
        <button type="button" class="strip-toggle ellipsis" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Summary reviews={reviews} />
        </button>
        {hasPending && (
          <>
            <LinkButton onClick={() => act({ type: 'changes.open' })}>{t('Review')}</LinkButton>
            <IconButton
              icon="check"
              label={t('Accept all changes')}
              onPress={() => act({ type: 'review.accept', place: {}, shown: shownFilesAt(reviews, {}) })}
            />
            <IconButton
              icon="close"
              label={t('Reject all changes')}
              onPress={() => act({ type: 'review.reject', place: {}, shown: shownFilesAt(reviews, {}) })}
            />
          </>
        )}
      </div>
      {isOpen && <ReviewList reviews={reviews} />}
    </section>
  );
}

function Summary({ reviews }: { readonly reviews: readonly ReviewedFile[] }) {
  const { files, rejected, ...counts } = totalPending(reviews);
  if (files === 0)
    return (
      <span class="strip-text ellipsis quiet">
        {plural(rejected, 'one: {0} rejected change | other: {0} rejected changes')}
      </span>
    );
  return (
    <span class="strip-text ellipsis">
      {plural(files, 'one: {0} file | other: {0} files')} <ChangeCounts {...counts} />
      {rejected > 0 && (
        <span class="rejected-count quiet">{` · ${plural(rejected, 'one: {0} rejected | other: {0} rejected')}`}</span>
      )}
    </span>
  );
}
