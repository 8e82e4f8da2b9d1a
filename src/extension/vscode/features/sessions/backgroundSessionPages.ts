/* Pages of the panel that show a session while it runs in the background host. */

import type { BackgroundSession } from '../../../../protocol/background.ts';
import type { ToHost } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { OpenSession } from '../../../../protocol/panel/sessions.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelPage } from '../../panel/panelPage.ts';
import type { BackgroundSessionWatcher } from './backgroundSessionWatcher.ts';
import { WatchedSession } from './watchedSession.ts';

interface HostSessions {
  readonly sessions: readonly BackgroundSession[];
  /** Returns whether the host has the session, or resumes it after a kill. Never rejects. */
  holds(sessionId: string): Promise<boolean>;
  /** Sends an intention to a session that no page shows. */
  send(sessionId: string, message: object): Promise<void>;
}

/** Asks the user, and reports failures. */
export interface BackgroundSessionDialogs {
  /** Resolves with whether to take the session back to the window. */
  offerReturn(): Promise<boolean>;
  report(what: string, error: unknown): void;
}

type Page = Pick<PanelPage, 'name' | 'isVisible'> & {
  readonly feed: Pick<PanelPage['feed'], 'changed' | 'update' | 'deliver'>;
};

/** Name of the page in the side bar. */
const sidebarName = 'new';

export class BackgroundSessionPages {
  private readonly host: HostSessions;
  private readonly watch: BackgroundSessionWatcher;
  private readonly session: ActiveSession;
  private readonly panel: { readonly feed: Page['feed']; refresh(): void };
  private readonly dialogs: BackgroundSessionDialogs;
  private readonly log: Log;
  private readonly shown = new Map<Page, WatchedSession>();

  constructor(
    host: HostSessions,
    watch: BackgroundSessionWatcher,
    session: ActiveSession,
    panel: { readonly feed: Page['feed']; refresh(): void },
    dialogs: BackgroundSessionDialogs,
    log: Log,
  ) {
    this.host = host;
    this.watch = watch;
    this.session = session;
    this.panel = panel;
    this.dialogs = dialogs;
    this.log = log;
    session.onDidSwitch(() => this.followSwitch());
  }

  get open(): readonly OpenSession[] {
    const { opened } = this.session;
    return this.host.sessions.flatMap(({ sessionId, status, facts }) =>
      facts && !opened.find(sessionId) ? [{ ...(facts as OpenSession), background: status }] : [],
    );
  }

  stateOf(page: Page): SessionState | undefined {
    return this.shown.get(page)?.state;
  }

  has(sessionId: string): boolean {
    const isOpen = this.session.opened.find(sessionId) !== undefined;
    return !isOpen && this.host.sessions.some(each => each.sessionId === sessionId);
  }

  /** Returns whether a visible page shows the session. */
  isSeen(sessionId: string): boolean {
    return [...this.shown].some(([page, { id }]) => id === sessionId && page.isVisible);
  }

  async show(sessionId: string, page: Page): Promise<boolean> {
    if (!this.has(sessionId)) return false;
    if (this.shown.get(page)?.id === sessionId) return true;
    const watched = await this.attach(sessionId);
    if (!watched) return false;
    await this.session.startNew();
    // So that a reload restores it.
    this.session.remember(sessionId);
    this.put(page, watched);
    return true;
  }

  /** Called after a reload. Returns false if the host lacks the session, so that it opens here. Never rejects. */
  async restore(sessionId: string, page: Page): Promise<boolean> {
    if (this.shown.get(page)?.id === sessionId) return true;
    if (!(await this.host.holds(sessionId))) return false;
    // Meanwhile the user may have opened another.
    if (this.shown.has(page)) return true;
    const watched = await this.attach(sessionId);
    if (watched) this.put(page, watched);
    return watched !== undefined;
  }

  leave(page: Page): void {
    const watched = this.shown.get(page);
    if (!watched) return;
    watched.dispose();
    this.shown.delete(page);
    if (page.name === sidebarName) this.session.forget(watched.id);
    page.feed.update();
  }

  dispose(): void {
    for (const watched of this.shown.values()) watched.dispose();
    this.shown.clear();
  }

  /** Returns `undefined` if it does not run there. */
  private async attach(sessionId: string): Promise<WatchedSession | undefined> {
    const watched = new WatchedSession(sessionId, this.log);
    if (await this.watch.watch(watched)) return watched;
    watched.dispose();
    return undefined;
  }

  private put(page: Page, watched: WatchedSession): void {
    this.shown.get(page)?.dispose();
    this.shown.set(page, watched);
    watched.onDidChange(() => page.feed.changed());
    watched.onDidReturn(({ prompt, reason }) => this.giveBack(page, prompt, reason));
    page.feed.update();
    this.panel.refresh();
  }

  /** A session of the window, once shown, replaces one of the host. */
  private followSwitch(): void {
    const active = [...this.shown.keys()].find(({ feed }) => feed === this.panel.feed);
    if (!active) return;
    if (this.session.present) this.leave(active);
    else this.session.remember(this.shown.get(active)?.id);
  }

  async take(message: ToHost, page: Page): Promise<boolean> {
    try {
      return await this.carryOut(message, page);
    } catch (error) {
      this.dialogs.report(t('Folio could not do that'), error);
      return true;
    }
  }

  private async carryOut(message: ToHost, page: Page): Promise<boolean> {
    if (message.type === 'call.decide' && message.sessionId !== undefined && this.has(message.sessionId)) {
      await this.host.send(message.sessionId, message);
      return true;
    }
    const watched = this.shown.get(page);
    if (!watched || !meansSession(message)) return false;
    if (watched.hasLeft) {
      await this.session.switchTo(watched.id);
      return false;
    }
    if (!isForHost(message)) this.offerReturn(watched.id);
    else if (watched.send(message)) return true;
    if (message.type === 'prompt.send') this.giveBack(page, message);
    return true;
  }

  /**
   * Returns the prompt to the composer, so that it is not lost.
   * @param reason the host's; absent if the user knows it, or the host is gone
   */
  private giveBack(page: Page, { text, attachments }: PromptSend, reason?: string): void {
    const hint = reason && t('The background session did not accept the prompt: {0}', reason);
    page.feed.deliver({ type: 'composer.filled', text, attachments, hint });
  }

  private offerReturn(sessionId: string): void {
    this.dialogs
      .offerReturn()
      .then(isWanted => (isWanted ? this.session.switchTo(sessionId) : undefined))
      .catch(error => this.dialogs.report(t('The session could not be shown'), error));
  }
}

type PromptSend = Extract<ToHost, { type: 'prompt.send' }>;

/** Prefixes of intentions about the page, the list or the window, independent of the session. */
const ofWindow =
  /^(panel|sessions?|items|mcp|inbox|connect|comparison|statistics|settings|folder|trust|link|text|file|completion|permissions?|key|effort|selection|unseen)\./;

function meansSession({ type }: ToHost): boolean {
  return !ofWindow.test(type);
}

/**
 * Returns whether the host accepts this intention. Slash commands, shell commands of the user and the mode that
 * approves everything need the window.
 */
function isForHost(message: ToHost): boolean {
  switch (message.type) {
    case 'prompt.send':
      return !/^\s*[/!]/.test(message.text);
    case 'call.decide':
      return message.decision.kind !== 'interactive';
    case 'mode.set':
      return message.mode !== 'yolo';
    case 'fallback.decide':
    case 'turn.stop':
    case 'retry.now':
    case 'model.set':
    case 'agent.set':
    case 'queue.change':
    case 'queue.remove':
    case 'queue.sendNow':
      return true;
    default:
      return false;
  }
}
