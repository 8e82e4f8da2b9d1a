import { window } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { oneLine, plural } from '../../../base/text.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { type SessionNews, statusOf } from '../../openSessions.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { report } from '../report.ts';

/** Tells of events in sessions that are not shown, and counts those that wait for the person. */
export function registerSessionNotices(session: ActiveSession, panel: PanelView, log: Log): Disposable {
  const store = new DisposableStore();
  const tell = async (news: SessionNews) => {
    const sentence = describeNews(news);
    if (sentence === undefined) return;
    if ((await window.showInformationMessage(sentence, 'Show')) !== 'Show') return;
    await session.switchTo(news.session.id);
    await panel.focus();
  };
  store.add(
    session.opened.onNews(news => {
      if (news.session === session.present) return;
      tell(news).catch(error => report(log, 'The session could not be shown', error));
    }),
  );
  store.add(
    session.opened.onDidChange(() => {
      const waiting = session.opened.all.filter(({ state }) => statusOf(state) === 'waiting').length;
      panel.count(waiting, `${plural(waiting, 'session')} waiting for you`);
    }),
  );
  return store;
}

function describeNews(news: SessionNews): string | undefined {
  const title = `“${oneLine(news.session.state.title, 60)}”`;
  if (news.kind === 'waits') return `${title} waits for your decision.`;
  const { kind } = news.end;
  // The person did that.
  if (kind === 'stopped') return undefined;
  return kind === 'rested'
    ? `${title} is done.`
    : `${title} came to a halt and can go on once you have looked at it.`;
}
