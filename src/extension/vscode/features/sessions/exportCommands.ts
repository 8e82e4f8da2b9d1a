import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';
import { registerCommands } from '../commands.ts';

/** Exports of chapters and sessions. Commands without a chapter id ask for the chapter. */
export function registerExportCommands(
  session: ActiveSession,
  library: SessionLibrary,
  log: Log,
): Disposable {
  const load = async () => new (await import('./sessionExporter.ts')).SessionExporter(session, library);
  return registerCommands(log, {
    'folio.copyChapter': async (chapterId?: unknown) => (await load()).copyChapter(chapterId),
    'folio.exportChapter': async (chapterId?: unknown) => (await load()).exportChapter(chapterId),
    'folio.exportSession': async (sessionId?: unknown) => (await load()).exportSession(sessionId),
    'folio.renameChapter': async (chapterId?: unknown) => (await load()).renameChapter(chapterId),
  });
}
