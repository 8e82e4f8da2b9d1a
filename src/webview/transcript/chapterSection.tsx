import { useComputed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pages.ts';
import type { PanelChapter, PanelItem, PanelPrompt } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { beginsTurn } from '../panel/turns.ts';
import { memo } from '../ui/memo.ts';
import { Menu } from '../ui/menu.tsx';
import { factsOf } from '../ui/totals.ts';
import { useChapterActions } from './chapterActions.ts';
import { ChapterFacts } from './chapterFacts.tsx';
import { ChapterHeading } from './chapterHeading.tsx';
import { ItemPage } from './itemPage.tsx';
import { Prompt } from './prompt.tsx';
import { isShownElsewhere } from './rows/rows.ts';
import { Unloaded } from './unloaded.tsx';

interface ChapterProps {
  readonly chapter: PanelChapter;
  readonly folded: boolean;
}

/** A folded chapter keeps its prompts: what the person said is never hidden. */
export const ChapterSection = memo(function ChapterSection({ chapter, folded }: ChapterProps) {
  const name = chapter.number > 0 ? t('Chapter {0}: {1}', chapter.number, chapter.title) : t('Opening');
  return (
    <section class="chapter" data-chapter={chapter.id} aria-label={name}>
      {chapter.number > 0 ? (
        <ChapterHeading chapter={chapter} folded={folded} />
      ) : (
        <h2 class="sr-only">{t('Opening')}</h2>
      )}
      <Content chapter={chapter} folded={folded} />
      {!folded && <ChapterEnd chapter={chapter} />}
    </section>
  );
});

function Content({ chapter, folded }: ChapterProps) {
  const { unloaded } = chapter;
  if (unloaded !== undefined) return <Unloaded chapter={chapter} count={unloaded} folded={folded} />;
  return folded ? <Prompts chapter={chapter} /> : <Items chapter={chapter} />;
}

function Prompts({ chapter }: { readonly chapter: PanelChapter }) {
  const prompts = [...iterate(chapter.items)].filter((item): item is PanelPrompt => item.type === 'prompt');
  return prompts.map(prompt => <Prompt key={prompt.id} prompt={prompt} />);
}

/** So many pages of a chapter are on the page at first; earlier ones come when the person scrolls to them. */
const firstPages = 3;

function Items({ chapter }: { readonly chapter: PanelChapter }) {
  const [extra, setExtra] = useState(0);
  const { pages } = chapter.items;
  const hidden = Math.max(0, pages.length - firstPages - extra);
  return (
    <>
      {hidden > 0 && <Earlier onReach={() => setExtra(extra + 2)} />}
      {pages.slice(hidden).map((page, index) => (
        <ItemPage
          key={hidden + index}
          items={page}
          isLast={chapter.status === 'live' && hidden + index === pages.length - 1}
        />
      ))}
    </>
  );
}

function Earlier({ onReach }: { readonly onReach: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  useEffect(() => {
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) reach.current();
    });
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button type="button" class="earlier" ref={button} onClick={onReach}>
      {t('Show earlier')}
    </button>
  );
}

/** The totals of an open chapter once it rests. Untitled sessions have their actions here, too. */
function ChapterEnd({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isOnly = useComputed(() => store.session.value?.chapters.length === 1).value;
  if (chapter.status === 'live' || !hasFacts(chapter)) return null;
  const isOpening = chapter.number === 0;
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

function hasSeveralTurns({ items }: PanelChapter): boolean {
  return [...iterate(items)].filter(beginsTurn).length > 1;
}

function isWork(item: PanelItem): boolean {
  return item.type !== 'prompt' && !isShownElsewhere(item);
}
