import { window } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { statusOf } from '../../../../protocol/panel/sessions.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { oneLine } from '../../../base/text.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { SessionNews } from '../../openSessions.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { report } from '../report.ts';

/** Tells of events in sessions that are not shown, and counts those that wait for the person. */
export function registerSessionNotices(session: ActiveSession, panel: PanelView, log: Log): Disposable {
  const store = new DisposableStore();
  const tell = async (news: SessionNews) => {
    const sentence = describeNews(news);
    if (sentence === undefined) return;
    if ((await window.showInformationMessage(sentence, t('Show'))) === undefined) return;
    if (panel.revealTab(news.session.id)) return;
    await session.switchTo(news.session.id);
    await panel.focus();
  };
  store.add(
    session.opened.onNews(news => {
      if (news.session === session.present || panel.isShown(news.session.id)) return;
      tell(news).catch(error => report(log, t('The session could not be shown'), error));
    }),
  );
  store.add(
    session.opened.onDidChange(() => {
      const waiting = session.opened.all.filter(({ state }) => statusOf(state) === 'waiting').length;
      panel.count(
        waiting,
        plural(waiting, 'one: {0} session waiting for you | other: {0} sessions waiting for you'),
      );
    }),
  );
  return store;
}

function describeNews(news: SessionNews): string | undefined {
  const title = oneLine(news.session.state.title, 60);
  if (news.kind === 'waits') return t('“{0}” waits for your decision.', title);
  const { kind } = news.end;
  // The person did that.
  if (kind === 'stopped') return undefined;
  return kind === 'rested'
    ? t('“{0}” is done.', title)
    : t('“{0}” came to a halt and can go on once you have looked at it.', title);
}
