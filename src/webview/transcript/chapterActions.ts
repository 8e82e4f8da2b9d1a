import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { shownFilesAt } from '../panel/pending.ts';
import type { MenuAction } from '../ui/menu.tsx';

interface ChapterActions {
  readonly copying: readonly MenuAction[];
  /** Empty if the chapter changed no file. */
  readonly changing: readonly MenuAction[];
  /** Absent if the chapter has no pending changes. */
  readonly accept?: () => void;
}

export function useChapterActions({ id: chapterId, files }: PanelChapter): ChapterActions {
  const { store, act } = usePanel();
  const isPending = useComputed(() => store.pendingChapters.value.has(chapterId)).value;
  const accept = () => {
    const place = { chapterId };
    act({ type: 'review.accept', place, shown: shownFilesAt(store.reviews.peek(), place) });
  };
  const open = { label: t('Open changes'), onPress: () => act({ type: 'changes.open' }) };
  return {
    copying: [
      { label: t('Copy as Markdown'), onPress: () => act({ type: 'chapter.copy', chapterId }) },
      { label: t('Export…'), onPress: () => act({ type: 'chapter.export', chapterId }) },
    ],
    changing: [
      ...(isPending ? [{ label: t('Accept changes'), onPress: accept }] : []),
      ...(files.length > 0 ? [open] : []),
    ],
    accept: isPending ? accept : undefined,
  };
}
