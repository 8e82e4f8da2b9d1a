import { Disposable, window } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { openStatusOf } from '../../../../protocol/panel/sessions.ts';
import { oneLine } from '../../../base/text.ts';
import type { Log } from '../../../platform/log.ts';
import type { OpenSessions, SessionNotice } from '../../openSessions.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { reportFailure } from '../report.ts';

/**
 * Notifies of every session while the window is not focused, and counts those that wait for the user. In a focused
 * window, marks, the count and the status bar show it without covering anything. No sound: VS Code plays accessibility
 * signals only for its own code (microsoft/vscode#175986).
 */
export function registerSessionNotices(opened: OpenSessions, panel: PanelView, log: Log): Disposable {
  const notify = async (news: SessionNotice) => {
    const sentence = describeNews(news);
    if (sentence === undefined) return;
    if ((await window.showInformationMessage(sentence, t('Show'))) === undefined) return;
    if (await panel.showSession(news.session.id)) await panel.focus();
  };
  return Disposable.from(
    opened.onNews(news => {
      if (window.state.focused) return;
      notify(news).catch(error => reportFailure(log, t('The session could not be shown'), error));
    }),
    opened.onDidChange(() => {
      const waiting = opened.all.filter(({ state }) => openStatusOf(state) === 'waiting').length;
      panel.count(
        waiting,
        plural(waiting, 'one: {0} session waiting for you | other: {0} sessions waiting for you'),
      );
    }),
  );
}

function describeNews(news: SessionNotice): string | undefined {
  const title = oneLine(news.session.state.title, 60);
  if (news.kind === 'waits') return t('“{0}” waits for your decision.', title);
  const { kind } = news.end;
  // The user did that.
  if (kind === 'stopped') return undefined;
  return kind === 'rested' ? t('“{0}” is done.', title) : t('“{0}” has paused. Open it to continue.', title);
}
