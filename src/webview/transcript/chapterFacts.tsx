import { activeUntil } from '../../protocol/fold/activity.ts';
import type { PanelChapter } from '../../protocol/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { Facts } from '../ui/facts.tsx';
import { factsOf } from '../ui/totals.ts';
import { ChapterFiles } from './chapterFiles.tsx';

/** `2 files +14 −3 · 5 calls · 45k tokens · 91% cached · $0.04 · 2 min`. */
export function ChapterFacts({ chapter }: { readonly chapter: PanelChapter }) {
  const facts = factsOf(chapter, useActiveMs(chapter));
  return (
    <>
      {chapter.files.length > 0 && (
        <span class="fact">
          <ChapterFiles chapter={chapter} />
          {facts.length > 0 && ' ·'}
        </span>
      )}
      {chapter.files.length > 0 && facts.length > 0 && ' '}
      <Facts facts={facts} />
    </>
  );
}

/** Of a chapter that grows it moves with the clock. */
export function useActiveMs(chapter: PanelChapter): number {
  const { store } = usePanel();
  if (chapter.status === 'done') return chapter.activeMs;
  const session = store.session.value;
  return session ? activeUntil(session, chapter, store.now.value) : chapter.activeMs;
}
