import { commands, Disposable } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { reportFailure } from '../../features/report.ts';
import { deleteSession } from '../../features/sessions/sessionCommands.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';
import { isFailureAskCurrent } from './stillAsked.ts';

export function sessionListHandlers(session: ActiveSession, library: SessionLibrary, panel: PanelView) {
  return {
    'session.new': () => panel.startNew(),
    'session.open': async ({ sessionId, query }, page) => {
      if (!(await panel.showSession(sessionId)) || query === undefined) return;
      const { findChapter } = await import('../../../core/recording/findChapter.ts');
      const id = findChapter(panel.stateOf(page), query);
      if (id !== undefined) page.feed.deliver({ type: 'place.shown', place: { kind: 'chapter', id } });
    },
    'session.bringBack': ({ sessionId }) => session.switchTo(sessionId),
    'session.openInEditor': ({ sessionId }) => commands.executeCommand('folio.openInEditor', sessionId),
    'session.rename': ({ sessionId, title }) => library.rename(sessionId, title),
    // The page offers undo in place.
    'session.delete': ({ sessionId }) => deleteSession(session, library, sessionId),
    'session.restore': ({ sessionId }) => library.bringBack(sessionId),
    'session.export': ({ sessionId }) => commands.executeCommand('folio.exportSession', sessionId),
    'sessions.list': async ({ query }, { feed }) => {
      feed.deliver({ type: 'sessions.listed', query, ...(await library.list(query)) });
    },
    'items.load': ({ of }, { feed }) => feed.load(of),
    'fallback.decide': ({ askId, decision }) => {
      const { present } = session;
      if (present && isFailureAskCurrent(present.state, askId)) present.decideFallback(decision);
    },
  } satisfies SomeHandlers;
}

/** Sends the page its last list again when it changes. */
export function followSessionList(library: SessionLibrary, panel: PanelView, log: Log): Disposable {
  let query = '';
  const reportList = async () => {
    const asked = query;
    const list = await library.list(asked);
    if (asked === query) panel.notify(() => ({ type: 'sessions.listed', query, ...list }));
  };
  return Disposable.from(
    panel.onDidReceive(({ message }) => {
      if (message.type === 'sessions.list') query = message.query;
    }),
    library.onDidChange(() => {
      reportList().catch(error => reportFailure(log, t('The sessions could not be listed'), error));
    }),
  );
}
