import { commands } from 'vscode';
import { plainLine } from '../../base/text.ts';
import type { ActiveSession } from '../activeSession.ts';
import { reach } from '../features/milestones.ts';
import { titleLimit } from '../sessionLibrary.ts';
import type { PanelHandlers } from './panelHandlers.ts';

export type ChapterHandlers = Pick<
  PanelHandlers,
  'chapter.rename' | 'chapter.folded' | 'chapter.copy' | 'chapter.export'
>;

export function handleChapters(session: ActiveSession): ChapterHandlers {
  return {
    'chapter.rename': ({ chapterId, title }) =>
      session.present?.renameChapter(chapterId, plainLine(title, titleLimit)),
    'chapter.folded': () => reach('foldedChapter'),
    'chapter.copy': ({ chapterId }) => commands.executeCommand('folio.copyChapter', chapterId),
    'chapter.export': ({ chapterId }) => commands.executeCommand('folio.exportChapter', chapterId),
  };
}
