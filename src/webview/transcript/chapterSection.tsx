import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { memo } from '../ui/memo.ts';
import { CallRow } from './calls/callRow.tsx';
import { ChapterEnd } from './chapterEnd.tsx';
import { ChapterHeading } from './chapterHeading.tsx';
import { ItemPage } from './itemPage.tsx';
import { Prompt } from './prompt.tsx';
import { UnloadedItems } from './unloadedItems.tsx';

interface ChapterProps {
  readonly chapter: PanelChapter;
  readonly folded: boolean;
}

/** A chapter. Folded it still shows what the user said, and the answers to questions that began no chapter. */
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
  if (unloaded !== undefined) return <UnloadedItems chapter={chapter} count={unloaded} folded={folded} />;
  return folded ? <Conversation chapter={chapter} /> : <Items chapter={chapter} />;
}

function Conversation({ chapter }: { readonly chapter: PanelChapter }) {
  const items = [...iterate(chapter.items)];
  const first = items.findIndex(({ type }) => type === 'prompt');
  return items.map((item, at) => {
    if (item.type === 'prompt') return <Prompt key={item.id} prompt={item} />;
    const isAnswer = item.type === 'text' && first >= 0 && first < at && items[at + 1]?.type === 'prompt';
    if (isAnswer) return <ItemPage key={item.id} items={[item]} isLast={false} />;
    const isSaid = item.type === 'call' && said.includes(item.decided?.decision);
    return isSaid && <CallRow key={item.id} call={item} />;
  });
}

const said: readonly unknown[] = ['plan', 'answers'];

/** Pages of items rendered at first. Earlier ones follow when the user scrolls to them. */
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
