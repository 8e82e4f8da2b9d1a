import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pages.ts';
import type { PanelChapter, PanelItem } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { beginsTurn } from '../panel/turns.ts';
import { Menu } from '../ui/menu.tsx';
import { factsOf } from '../ui/totals.ts';
import { useChapterActions } from './chapterActions.ts';
import { ChapterFacts } from './chapterFacts.tsx';
import { isShownElsewhere } from './rows/rows.ts';

/**
 * The sum of an open chapter, as its last and quietest line once it rests. A session without titled chapters has no
 * heading, so its actions stand here too.
 */
export function ChapterEnd({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isOnly = useComputed(() => store.session.value?.chapters.length === 1).value;
  if (chapter.status === 'live' || !hasFacts(chapter)) return null;
  const isOpening = chapter.number === 0;
  // The opening before the first heading is mostly the prompt alone.
  if (isOpening && !isOnly && ![...iterate(chapter.items)].some(isWork)) return null;
  return (
    <div class="chapter-end">
      <span class="chapter-end-facts">
        {hasSeveralTurns(chapter) && <span class="fact">{t('In all:')} </span>}
        <ChapterFacts chapter={chapter} />
      </span>
      {isOpening && <OpeningMenu chapter={chapter} />}
    </div>
  );
}

function OpeningMenu({ chapter }: { readonly chapter: PanelChapter }) {
  const { copying, changing } = useChapterActions(chapter);
  return <Menu label={t('More actions')} groups={[copying, changing]} />;
}

function hasFacts(chapter: PanelChapter): boolean {
  return chapter.files.length > 0 || factsOf(chapter, { waitedMs: 0, ...chapter }).length > 0;
}

/** Below the answer to one prompt the sum of all would read as what that prompt did. */
function hasSeveralTurns({ number, items }: PanelChapter): boolean {
  const all = [...iterate(items)];
  // A titled chapter mostly begins within the turn of a prompt before it.
  const isContinued = number > 0 && all[0] !== undefined && !beginsTurn(all[0]);
  return all.filter(beginsTurn).length + (isContinued ? 1 : 0) > 1;
}

function isWork(item: PanelItem): boolean {
  return item.type !== 'prompt' && !isShownElsewhere(item);
}
