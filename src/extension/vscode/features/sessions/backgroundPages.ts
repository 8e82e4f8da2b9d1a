/* Pages of the panel that show a session of the background host while it goes on there. */

import { window } from 'vscode';
import type { BackgroundSession } from '../../../../protocol/background.ts';
import type { ToHost } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { OpenSession } from '../../../../protocol/panel/sessions.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelPage } from '../../panel/panelPage.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { report } from '../report.ts';
import { WatchedSession } from './watchedSession.ts';

interface HostSessions {
  readonly sessions: readonly BackgroundSession[];
  /** Resolves with false when the session does not run there. */
  watch(watched: WatchedSession): Promise<boolean>;
  /** Sends an intention to a session that no page shows. */
  send(sessionId: string, message: object): Promise<void>;
}

export class BackgroundPages {
  private readonly host: HostSessions;
  private readonly session: ActiveSession;
  private readonly panel: PanelView;
  private readonly log: Log;
  private readonly shown = new Map<PanelPage, WatchedSession>();

  constructor(host: HostSessions, session: ActiveSession, panel: PanelView, log: Log) {
    this.host = host;
    this.session = session;
    this.panel = panel;
    this.log = log;
    // A session of the window that is shown stands in place of one of the host.
    session.onDidSwitch(() => {
      if (!session.present) return;
      for (const page of this.shown.keys()) if (page.feed === panel.feed) this.leave(page);
    });
  }

  get open(): readonly OpenSession[] {
    const { opened } = this.session;
    return this.host.sessions.flatMap(({ sessionId, status, facts }) =>
      facts && !opened.find(sessionId) ? [{ ...(facts as OpenSession), background: status }] : [],
    );
  }

  stateOf(page: PanelPage): SessionState | undefined {
    return this.shown.get(page)?.state;
  }

  has(sessionId: string): boolean {
    const isOpen = this.session.opened.find(sessionId) !== undefined;
    return !isOpen && this.host.sessions.some(each => each.sessionId === sessionId);
  }

  /** A page that shows the session is seen. */
  isSeen(sessionId: string): boolean {
    return [...this.shown].some(([page, { id }]) => id === sessionId && page.isVisible);
  }

  async show(sessionId: string, page: PanelPage): Promise<boolean> {
    if (!this.has(sessionId)) return false;
    if (this.shown.get(page)?.id === sessionId) return true;
    const watched = new WatchedSession(sessionId);
    if (!(await this.host.watch(watched))) {
      watched.dispose();
      return false;
    }
    this.leave(page);
    await this.session.startNew();
    this.shown.set(page, watched);
    watched.onDidChange(() => page.feed.changed());
    watched.onDidReturn(({ prompt, reason }) => this.giveBack(page, prompt, reason));
    page.feed.update();
    this.panel.refresh();
    return true;
  }

  leave(page: PanelPage): void {
    this.shown.get(page)?.dispose();
    if (this.shown.delete(page)) page.feed.update();
  }

  async take(message: ToHost, page: PanelPage): Promise<boolean> {
    try {
      return await this.carryOut(message, page);
    } catch (error) {
      report(this.log, t('Folio could not do that'), error);
      return true;
    }
  }

  private async carryOut(message: ToHost, page: PanelPage): Promise<boolean> {
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

  /** The words of a prompt are never lost. @param reason of the host; absent: it is known to the user, or the host was gone */
  private giveBack(page: PanelPage, { text, attachments }: PromptSend, reason?: string): void {
    const hint = reason && t('The session in the background did not take the prompt: {0}', reason);
    page.feed.deliver({ type: 'composer.filled', text, attachments, hint });
  }

  private offerReturn(sessionId: string): void {
    const bring = t('Bring Back');
    const sentence = t('The session runs in the background. Bring it back to this window to do that.');
    window
      .showInformationMessage(sentence, bring)
      .then(chosen => (chosen === bring ? this.session.switchTo(sessionId) : undefined))
      .then(undefined, error => report(this.log, t('The session could not be shown'), error));
  }
}

type PromptSend = Extract<ToHost, { type: 'prompt.send' }>;

/** Beginnings of intentions that are about the page, the list or the window, whichever session is shown. */
const ofWindow =
  /^(panel|sessions?|items|mcp|inbox|connect|comparison|statistics|settings|folder|trust|link|text|file|completion|permissions?|key|effort|selection|unseen)\./;

function meansSession({ type }: ToHost): boolean {
  return !ofWindow.test(type);
}

/** A line to the host can say this. Slash commands, own commands and a mode that allows everything need the window. */
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
