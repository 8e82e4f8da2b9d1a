import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelChapter, PanelItem } from '../../protocol/panel/panelState.ts';
import type { FileCounts } from '../../protocol/values.ts';
import { usePanel } from '../panel/panel.ts';
import { beginsTurn } from '../panel/turns.ts';
import { Menu } from '../ui/menu.tsx';
import { chapterFactList, totalFiles } from '../ui/totals.ts';
import { useChapterActions } from './chapterActions.ts';
import { ChapterFacts, useFacts } from './chapterFacts.tsx';
import { findFinishedTurn } from './findFinishedTurn.ts';
import { isShownElsewhere } from './rows/rows.ts';

/**
 * Totals of an unfolded chapter at rest, as its last line. In a session without titled chapters it also has the actions
 * of a heading.
 */
export function ChapterEnd({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isOnly = useComputed(() => store.session.value?.chapters.length === 1).value;
  const files = useFiles(chapter);
  const hasFacts = useFacts(chapter).length + files.length > 0;
  if (chapter.status === 'live') return null;
  const isOpening = chapter.number === 0;
  // The untitled first chapter often has only the prompt.
  const hasMenu = isOpening && (isOnly ? hasSpent(chapter) : [...iterate(chapter.items)].some(isWork));
  if (isOpening ? !hasMenu : !hasFacts) return null;
  const name = nameOf(chapter, isOnly);
  return (
    <div class="chapter-end">
      {hasFacts && (
        <span class="chapter-end-facts">
          {name && <span class="fact">{name} </span>}
          <ChapterFacts chapter={chapter} files={files} />
        </span>
      )}
      {hasMenu && <OpeningMenu chapter={chapter} />}
    </div>
  );
}

/** Returns what the line sums, empty for a single prompt. */
function nameOf({ number, items }: PanelChapter, isOnly: boolean): string {
  if (number > 0) return t('Chapter {0}:', number);
  if (!isOnly) return t('Opening:');
  return [...iterate(items)].filter(beginsTurn).length > 1 ? t('All prompts:') : '';
}

/** Returns the files of a chapter, unless they are those of the newest turn, which stand below. */
function useFiles(chapter: PanelChapter): readonly FileCounts[] {
  const { store } = usePanel();
  const isShown = useComputed(() => {
    const session = store.session.value;
    if (session?.chapters.at(-1)?.id !== chapter.id) return false;
    const turn = findFinishedTurn(session);
    return turn !== undefined && describeFiles(turn.files) === describeFiles(chapter.files);
  }).value;
  return isShown ? [] : chapter.files;
}

function describeFiles(files: readonly FileCounts[]): string {
  return JSON.stringify(totalFiles(files));
}

function OpeningMenu({ chapter }: { readonly chapter: PanelChapter }) {
  const { copying, changing } = useChapterActions(chapter);
  return <Menu label={t('More actions')} groups={[copying, changing]} />;
}

function hasSpent(chapter: PanelChapter): boolean {
  return chapter.files.length > 0 || chapterFactList(chapter, { waitedMs: 0, ...chapter }).length > 0;
}

function isWork(item: PanelItem): boolean {
  return item.type !== 'prompt' && !isShownElsewhere(item);
}
