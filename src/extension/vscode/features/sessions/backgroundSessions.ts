/* Sessions of this workspace in the background host: handed over, listed, and taken back. Loaded on first use. */

import { window } from 'vscode';
import type { BackgroundSession, RunOrder } from '../../../../protocol/background.ts';
import { isUnfinished } from '../../../../protocol/fold/unfinished.ts';
import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { oneLine } from '../../../base/text.ts';
import { CommandError } from '../../../core/commandError.ts';
import type { Session } from '../../../core/session/session.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { HandedBackSession } from '../../openSessions.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';
import { reportFailure } from '../report.ts';
import { BackgroundSessionList, type RecordedHostConnector } from './backgroundSessionList.ts';
import { type BackgroundSessionDialogs, BackgroundSessionPages } from './backgroundSessionPages.ts';
import { BackgroundSessionWatcher } from './backgroundSessionWatcher.ts';
import { HostHandover } from './hostHandover.ts';

/** Makes an order to run a session. Throws a `CommandError` if the session needs its window. */
interface Ordering {
  run(state: SessionState): Promise<RunOrder>;
  env(): Promise<RunOrder['env']>;
}

export class BackgroundSessions {
  private readonly host: RecordedHostConnector;
  private readonly ordering: Ordering;
  private readonly session: ActiveSession;
  private readonly panel: PanelView;
  private readonly log: Log;
  private readonly handover: HostHandover;
  private readonly pages: BackgroundSessionPages;
  private readonly list: BackgroundSessionList;
  /** Sessions that this window is taking back, whose end in the host is not reported. */
  private readonly taking = new Set<string>();
  /** The list that the user was last notified of. */
  private before: readonly BackgroundSession[] = [];

  constructor(
    host: RecordedHostConnector,
    ordering: Ordering,
    session: ActiveSession,
    panel: PanelView,
    log: Log,
  ) {
    this.host = host;
    this.ordering = ordering;
    this.session = session;
    this.panel = panel;
    this.log = log;
    this.handover = new HostHandover(host, session, log);
    this.list = new BackgroundSessionList(host, () => ordering.env(), workspaceFolders, log);
    const watch = new BackgroundSessionWatcher(host, this.list, ({ state }) => offerRetry(state.title));
    this.pages = new BackgroundSessionPages(this, watch, session, panel, pageDialogs(log), log);
    panel.hosted = this.pages;
    this.onDidChange(() => this.notify());
    this.list.onDidRestart(
      () =>
        void window.showWarningMessage(
          t('The background host stopped unexpectedly. It is restarting, and its sessions continue.'),
        ),
    );
  }

  /** Sessions of this workspace. */
  get sessions(): readonly BackgroundSession[] {
    return this.list.sessions;
  }

  get onDidChange(): BackgroundSessionList['onDidChange'] {
    return this.list.onDidChange;
  }

  follow(): Promise<void> {
    return this.list.follow();
  }

  holds(sessionId: string): Promise<boolean> {
    return this.list.holds(sessionId);
  }

  /** Hands the shown session to the host, or says why it cannot. */
  async runShown(): Promise<void> {
    await this.session.restore();
    try {
      await this.run();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      void window.showWarningMessage(error.message);
    }
  }

  private async run(): Promise<void> {
    const { present, state } = this.session;
    if (!present || !isUnderWay(state))
      throw new CommandError(t('The agent is idle, so there is no work to continue in the background.'));
    const order = await this.ordering.run(state);
    await this.handover.give(present.id, order);
    void this.follow();
    void window.showInformationMessage(
      t('“{0}” continues in the background, even when you close the window.', oneLine(state.title, 60)),
    );
  }

  /** Resolves with `undefined` if it does not run there. */
  async take(sessionId: string): Promise<HandedBackSession | undefined> {
    if (!this.list.known.some(each => each.sessionId === sessionId)) return undefined;
    this.taking.add(sessionId);
    return await this.handover.take(sessionId, session => this.goOn(session));
  }

  private goOn(session: Session): void {
    session.retry().catch(error => reportFailure(this.log, t('The session could not continue'), error));
  }

  /** Sends an intention to a session that no page shows. */
  async send(sessionId: string, message: object): Promise<void> {
    const connection = await this.host.connect({ type: 'attach', sessionId });
    connection?.sendLine(JSON.stringify(message));
    // The host reads lines before it has sent all past events.
    for (let reply = await connection?.next(); reply; reply = await connection?.next())
      if (reply.type === 'caughtUp' || reply.type === 'refused') break;
    connection?.close();
  }

  private notify(): void {
    const { before, sessions } = this;
    this.before = sessions;
    this.panel.refresh();
    const statusBefore = new Map(before.map(({ sessionId, status }) => [sessionId, status]));
    for (const { sessionId, title, status } of sessions)
      if (status === 'waiting' && statusBefore.get(sessionId) !== 'waiting' && !this.pages.isSeen(sessionId))
        this.offer(sessionId, t('“{0}” waits for your decision in the background.', oneLine(title, 60)));
    const now = new Set(sessions.map(({ sessionId }) => sessionId));
    for (const { sessionId, title } of before) {
      if (now.has(sessionId) || this.taking.delete(sessionId)) continue;
      this.offer(sessionId, t('“{0}” has finished its work in the background.', oneLine(title, 60)));
    }
  }

  private offer(sessionId: string, sentence: string): void {
    const show = async () => {
      if ((await window.showInformationMessage(sentence, t('Show'))) === undefined) return;
      if (await this.panel.showSession(sessionId)) await this.panel.focus();
    };
    show().catch(error => reportFailure(this.log, t('The session could not be shown'), error));
  }
}

async function offerRetry(title: string): Promise<boolean> {
  const again = t('Retry');
  const sentence = t(
    '“{0}” continues in the background, but Folio cannot show it any more. The log says why.',
    oneLine(title, 60),
  );
  return (await window.showWarningMessage(sentence, again)) === again;
}

function pageDialogs(log: Log): BackgroundSessionDialogs {
  return {
    offerReturn: async () => {
      const bring = t('Bring Back');
      const sentence = t('The session runs in the background. Bring it back to this window to do that.');
      return (await window.showInformationMessage(sentence, bring)) === bring;
    },
    report: (what, error) => reportFailure(log, what, error),
  };
}

/** Returns whether it is working, or could continue. */
function isUnderWay(state: SessionState): boolean {
  const { activity, queue } = state;
  return activity.status !== 'resting' || queue.length > 0 || isUnfinished(state);
}
