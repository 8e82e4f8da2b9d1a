import { t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';

/** Returns for example `3 Fixing the rounding`. The untitled first chapter has no number. */
export function chapterLabel(id: string, chapters: readonly PanelChapter[]): string {
  const chapter = chapters.find(each => each.id === id);
  if (!chapter) return t('A chapter that was rewound');
  if (chapter.number > 0) return `${chapter.number} ${chapter.title}`;
  return chapters.length === 1 ? t('Conversation') : t('Before the first chapter');
}
