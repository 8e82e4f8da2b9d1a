import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Chapter } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { isPlainKey, moveFocus } from '../ui/keys.ts';
import { ChapterStatus } from './chapterStatus.tsx';
import { totalFiles } from './totals.ts';

/** The chapters to jump by, over the transcript. */
export function Outline() {
  const { store } = usePanel();
  const list = useRef<HTMLElement>(null);
  const chapters = (store.session.value?.chapters ?? []).filter(chapter => chapter.number > 0);
  const close = () => {
    store.view.value = 'transcript';
  };
  const jump = (chapter: Chapter) => {
    close();
    store.folds.value = { ...store.folds.value, [chapter.id]: false };
    requestAnimationFrame(() => showChapter(chapter.id));
  };
  // The person asked for it by a key or a click, so the focus may go there.
  useLayoutEffect(() => {
    const items = list.current?.querySelectorAll<HTMLElement>('.outline-item');
    items?.[items.length - 1]?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('.outline-item') ?? [])];
    if (isPlainKey(event, 'ArrowDown')) moveFocus(items, 1);
    else if (isPlainKey(event, 'ArrowUp')) moveFocus(items, -1);
    else if (isPlainKey(event, 'Home')) moveFocus(items.slice(0, 1), 1);
    else if (isPlainKey(event, 'End')) moveFocus(items.slice(-1), 1);
    else if (isPlainKey(event, 'Escape')) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        type="button"
        class="outline-backdrop"
        tabIndex={-1}
        aria-label="Close the outline"
        onClick={close}
      />
      <nav class="outline" aria-label="Outline" ref={list} onKeyDown={onKeyDown}>
        {chapters.map(chapter => (
          <OutlineItem key={chapter.id} chapter={chapter} onPress={() => jump(chapter)} />
        ))}
        {chapters.length === 0 && (
          <p class="outline-empty">No chapters yet. They appear as the work goes on.</p>
        )}
      </nav>
    </>
  );
}

function OutlineItem({ chapter, onPress }: { readonly chapter: Chapter; readonly onPress: () => void }) {
  const totals = totalFiles(chapter.files);
  return (
    <button type="button" class="outline-item" title={chapter.title} onClick={onPress}>
      <span class="chapter-number">{chapter.number}</span>
      <span class="chapter-title ellipsis">{chapter.title}</span>
      {totals.files > 0 && <ChangeCounts added={totals.added} removed={totals.removed} />}
      <ChapterStatus chapter={chapter} />
    </button>
  );
}

function showChapter(id: string): void {
  const section = document.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(id)}"]`);
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector<HTMLElement>('[data-chapter-heading]')?.focus({ preventScroll: true });
}
