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
 * Totals of an unfolded chapter at rest, as its last line. In a session without titled chapters it also has the actions
 * of a heading.
 */
export function ChapterEnd({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isOnly = useComputed(() => store.session.value?.chapters.length === 1).value;
  if (chapter.status === 'live' || !hasFacts(chapter)) return null;
  const isOpening = chapter.number === 0;
  // The untitled first chapter often has only the prompt.
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

/** Returns true for several turns, whose total would otherwise look like that of the last prompt. */
function hasSeveralTurns({ number, items }: PanelChapter): boolean {
  const all = [...iterate(items)];
  // A titled chapter usually begins within a turn.
  const isContinued = number > 0 && all[0] !== undefined && !beginsTurn(all[0]);
  return all.filter(beginsTurn).length + (isContinued ? 1 : 0) > 1;
}

function isWork(item: PanelItem): boolean {
  return item.type !== 'prompt' && !isShownElsewhere(item);
}
