import type { Chapter } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ChapterStatus } from './chapterStatus.tsx';
import { describeCost, totalFiles } from './totals.ts';

export interface ChapterHeadingProps {
  readonly chapter: Chapter;
  readonly folded: boolean;
}

export function ChapterHeading({ chapter, folded }: ChapterHeadingProps) {
  const { store } = usePanel();
  const toggle = () => {
    store.folds.value = { ...store.folds.value, [chapter.id]: !folded };
  };
  return (
    <div class="chapter-head">
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
          <ChapterStatus chapter={chapter} />
        </button>
      </h2>
      {folded && <FoldedLines chapter={chapter} />}
    </div>
  );
}

function FoldedLines({ chapter }: { readonly chapter: Chapter }) {
  const totals = totalFiles(chapter.files);
  const cost = describeCost(chapter);
  return (
    <div class="chapter-folded">
      {chapter.summary && (
        <div class="ellipsis" title={chapter.summary}>
          {chapter.summary}
        </div>
      )}
      <div class="chapter-cost ellipsis">
        {totals.files > 0 && (
          <>
            {plural(totals.files, 'file')} <ChangeCounts added={totals.added} removed={totals.removed} />
            {cost && ' · '}
          </>
        )}
        {cost}
      </div>
    </div>
  );
}
