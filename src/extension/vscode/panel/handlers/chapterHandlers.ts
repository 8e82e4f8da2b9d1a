import { commands } from 'vscode';
import { plainLine } from '../../../base/text.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { reach } from '../../features/milestones.ts';
import { titleLimit } from '../../sessionLibrary.ts';
import type { SomeHandlers } from './panelHandlers.ts';

export function handleChapters(session: ActiveSession) {
  return {
    'chapter.rename': ({ chapterId, title }) =>
      session.present?.renameChapter(chapterId, plainLine(title, titleLimit)),
    'chapter.folded': () => reach('foldedChapter'),
    'chapter.copy': ({ chapterId }) => commands.executeCommand('folio.copyChapter', chapterId),
    'chapter.export': ({ chapterId }) => commands.executeCommand('folio.exportChapter', chapterId),
  } satisfies SomeHandlers;
}
