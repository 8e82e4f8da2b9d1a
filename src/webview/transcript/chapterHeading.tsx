import { useComputed } from '@preact/signals';
import type { RewindPoint } from '../../protocol/changes.ts';
import type { Chapter } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { RewindPanel } from '../rewind/rewindPanel.tsx';
import { useRewind } from '../rewind/useRewind.ts';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { ChapterFiles } from './chapterFiles.tsx';
import { ChapterStatus } from './chapterStatus.tsx';
import { describeCost } from './totals.ts';

export interface ChapterHeadingProps {
  readonly chapter: Chapter;
  readonly folded: boolean;
}

export function ChapterHeading({ chapter, folded }: ChapterHeadingProps) {
  const { store } = usePanel();
  const toggle = () => {
    store.folds.value = { ...store.folds.value, [chapter.id]: !folded };
  };
  const to: RewindPoint = { kind: 'chapter', chapterId: chapter.id };
  return (
    <div class="chapter-head">
      <div class="chapter-line">
        <h2>
          <button
            type="button"
            class="chapter-heading"
            data-chapter-heading
            aria-expanded={!folded}
            title={chapter.title}
            onClick={toggle}
          >
            <Icon name={folded ? 'chevron-right' : 'chevron-down'} class="twistie" />
            <span class="chapter-number">{chapter.number}</span>
            <span class="chapter-title ellipsis">{chapter.title}</span>
            {!folded && chapter.files.length > 0 && (
              <span class="chapter-files">
                <ChapterFiles chapter={chapter} />
              </span>
            )}
            <ChapterStatus chapter={chapter} />
          </button>
        </h2>
        <Actions chapter={chapter} to={to} />
      </div>
      {folded && <FoldedLines chapter={chapter} />}
      <RewindPanel to={to} />
    </div>
  );
}

function Actions({ chapter, to }: { readonly chapter: Chapter; readonly to: RewindPoint }) {
  const { store, act } = usePanel();
  const rewind = useRewind();
  const isPending = useComputed(() => store.pendingChapters.value.has(chapter.id)).value;
  const place = { chapterId: chapter.id };
  return (
    <span class="hover-actions">
      {chapter.files.length > 0 && (
        <IconButton icon="diff-multiple" label="Open changes" onPress={() => act({ type: 'changes.open' })} />
      )}
      {isPending && (
        <IconButton
          icon="check"
          label="Accept the changes of this chapter"
          onPress={() => act({ type: 'review.accept', place })}
        />
      )}
      <IconButton icon="discard" label="Rewind to here…" onPress={() => rewind(to, 'choose')} />
    </span>
  );
}

function FoldedLines({ chapter }: { readonly chapter: Chapter }) {
  const cost = describeCost(chapter);
  const hasFiles = chapter.files.length > 0;
  return (
    <div class="chapter-folded">
      {chapter.summary && (
        <div class="ellipsis" title={chapter.summary}>
          {chapter.summary}
        </div>
      )}
      <div class="chapter-cost ellipsis">
        {hasFiles && <ChapterFiles chapter={chapter} />}
        {hasFiles && cost && ' · '}
        {cost}
      </div>
    </div>
  );
}
