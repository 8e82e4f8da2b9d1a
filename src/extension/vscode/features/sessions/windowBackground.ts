/* Sessions of this workspace in the background host: handed over, listed, and brought back. Loaded with the first. */

import { window } from 'vscode';
import type { BackgroundSession, RunOrder } from '../../../../protocol/background.ts';
import { isUnfinished } from '../../../../protocol/fold/unfinished.ts';
import { t } from '../../../../protocol/language.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import { Emitter } from '../../../base/emitter.ts';
import { oneLine } from '../../../base/text.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Session } from '../../../core/session/session.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { TakenBack } from '../../openSessions.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';
import { report } from '../report.ts';
import { BackgroundPages } from './backgroundPages.ts';
import { type Host, HostHandover } from './hostHandover.ts';
import type { WatchedSession } from './watchedSession.ts';

/** A host that is killed again and again is started no more than so often in the life of a window. */
const maxRestarts = 5;

/** Makes an order of a session; throws a `Refusal` when it needs its window. */
interface Ordering {
  run(state: SessionState): Promise<RunOrder>;
  env(): Promise<RunOrder['env']>;
}

export class WindowBackground {
  private readonly host: Host;
  private readonly ordering: Ordering;
  private readonly session: ActiveSession;
  private readonly panel: PanelView;
  private readonly log: Log;
  private readonly handover: HostHandover;
  private readonly pages: BackgroundPages;
  private readonly changed = new Emitter<void>();
  private restarts = 0;
  private following: Promise<void> | undefined;
  private known: readonly BackgroundSession[] = [];
  /** Sessions that this window takes back, whose end in the host is no news. */
  private readonly taking = new Set<string>();
  readonly onDidChange = this.changed.event;

  constructor(host: Host, ordering: Ordering, session: ActiveSession, panel: PanelView, log: Log) {
    this.host = host;
    this.ordering = ordering;
    this.session = session;
    this.panel = panel;
    this.log = log;
    this.handover = new HostHandover(host, session, log);
    this.pages = new BackgroundPages(this, session, panel, log);
    panel.hosted = this.pages;
    this.onDidChange(() => panel.refresh());
  }

  /** Those of this workspace. */
  get sessions(): readonly BackgroundSession[] {
    const here = workspaceFolders().join('\0');
    return this.known.filter(({ folders }) => folders.join('\0') === here);
  }

  /** Follows the host, and has it go on with what a killed one left. Never rejects. */
  follow(): Promise<void> {
    this.following ??= this.followHosts()
      .catch(error => this.log.error('The background host cannot be followed', error))
      .finally(() => {
        this.following = undefined;
      });
    return this.following;
  }

  /** The shown session goes on in the host. Says why where that cannot be. */
  async runShown(): Promise<void> {
    await this.session.restore();
    try {
      await this.run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void window.showWarningMessage(error.message);
    }
  }

  private async run(): Promise<void> {
    const { present, state } = this.session;
    if (!present || !isUnderWay(state))
      throw new Refusal(t('The agent rests: there is nothing to go on with in the background.'));
    const order = await this.ordering.run(state);
    await this.handover.give(present.id, order);
    void this.follow();
    void window.showInformationMessage(
      t('“{0}” goes on in the background, also when you close the window.', oneLine(state.title, 60)),
    );
  }

  /** Undefined: it does not run there. */
  async take(sessionId: string): Promise<TakenBack | undefined> {
    if (!this.known.some(each => each.sessionId === sessionId)) return undefined;
    this.taking.add(sessionId);
    return await this.handover.take(sessionId, session => this.goOn(session));
  }

  private goOn(session: Session): void {
    session.retry().catch(error => report(this.log, t('The session could not go on'), error));
  }

  /** Has a watched session shown as it goes on, also in the next host. False when it does not run there. */
  async watch(watched: WatchedSession): Promise<boolean> {
    const connection = await this.host.connect({ type: 'attach', sessionId: watched.id });
    if (!connection) return false;
    return await new Promise(resolve => {
      const following = watched.follow(connection, () => resolve(true));
      void following.then(end => {
        resolve(false);
        if (end === 'gone') this.watchAgain(watched);
      });
    });
  }

  /** Once the next host has the session, or says that it has not. */
  private watchAgain(watched: WatchedSession): void {
    const listening = this.onDidChange(() => {
      const now = this.known.find(({ sessionId }) => sessionId === watched.id);
      if (now?.status === 'interrupted') return;
      listening.dispose();
      if (watched.isDisposed) return;
      if (now) void this.tryAgain(watched);
      else watched.end();
    });
  }

  /** The list may still be that of the host that has gone. */
  private async tryAgain(watched: WatchedSession): Promise<void> {
    if (!(await this.watch(watched)) && !watched.hasLeft) this.watchAgain(watched);
  }

  /** Sends an intention to a session that no page shows. */
  async send(sessionId: string, message: object): Promise<void> {
    const connection = await this.host.connect({ type: 'attach', sessionId });
    connection?.sendLine(JSON.stringify(message));
    // It reads lines before it has sent all of the past.
    for (let reply = await connection?.next(); reply; reply = await connection?.next())
      if (reply.type === 'caughtUp' || reply.type === 'refused') break;
    connection?.close();
  }

  private async followHosts(): Promise<void> {
    while (await this.followHost()) {
      void window.showWarningMessage(
        t('The background host ended unexpectedly. It is started again, and its sessions go on.'),
      );
    }
  }

  /** Resolves with whether the host ended before its sessions, and another is to go on with them. */
  private async followHost(): Promise<boolean> {
    const connection = await this.host.reach({ type: 'watch' });
    for (let reply = await connection.next(); reply; reply = await connection.next()) {
      if (reply.type !== 'sessions') continue;
      const before = this.sessions;
      this.known = reply.sessions;
      this.changed.fire();
      await this.resumeInterrupted();
      this.notify(before);
    }
    // A host that has done its work leaves an empty list.
    if (this.known.length > 0 && this.restarts++ < maxRestarts) return true;
    const before = this.sessions;
    this.known = [];
    this.changed.fire();
    this.notify(before);
    return false;
  }

  private async resumeInterrupted(): Promise<void> {
    const interrupted = this.sessions.filter(({ status }) => status === 'interrupted');
    for (const { sessionId } of interrupted) {
      const connection = await this.host.connect({
        type: 'resume',
        sessionId,
        env: await this.ordering.env(),
      });
      // Another window may have been faster.
      await connection?.next().catch(error => this.log.info(`Not resumed in the background: ${error}`));
      connection?.close();
    }
  }

  private notify(before: readonly BackgroundSession[]): void {
    const statusBefore = new Map(before.map(({ sessionId, status }) => [sessionId, status]));
    for (const { sessionId, title, status } of this.sessions)
      if (status === 'waiting' && statusBefore.get(sessionId) !== 'waiting' && !this.pages.isSeen(sessionId))
        this.offer(sessionId, t('“{0}” waits for your decision in the background.', oneLine(title, 60)));
    const now = new Set(this.sessions.map(({ sessionId }) => sessionId));
    for (const { sessionId, title } of before) {
      if (now.has(sessionId) || this.taking.delete(sessionId)) continue;
      this.offer(sessionId, t('“{0}” rests: its work in the background has ended.', oneLine(title, 60)));
    }
  }

  private offer(sessionId: string, sentence: string): void {
    const show = async () => {
      if ((await window.showInformationMessage(sentence, t('Show'))) === undefined) return;
      if (await this.panel.showSession(sessionId)) await this.panel.focus();
    };
    show().catch(error => report(this.log, t('The session could not be shown'), error));
  }
}

/** At work, or it could continue. */
function isUnderWay(state: SessionState): boolean {
  const { activity, queue } = state;
  return activity.status !== 'resting' || queue.length > 0 || isUnfinished(state);
}
