import { window } from 'vscode';
import type { Intention } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import type { Inbox, InboxDecision } from '../../core/context/inbox/inbox.ts';
import type { Log } from '../../platform/log.ts';
import type { PanelView } from './panelView.ts';

/** Sends the memory inbox to the pages on each change in this window, and saves what the user decides. */
export class InboxController {
  private readonly panel: Pick<PanelView, 'notify'>;
  private readonly inbox: Inbox;
  private readonly log: Log;

  constructor(panel: Pick<PanelView, 'notify'>, inbox: Inbox, log: Log) {
    this.panel = panel;
    this.inbox = inbox;
    this.log = log;
    inbox.onDidChange(() => void this.list());
  }

  async list(): Promise<void> {
    try {
      const entries = await this.inbox.list();
      this.panel.notify(() => ({ type: 'inbox.listed', entries }));
    } catch (error) {
      this.log.warn(`The memory inbox cannot be read: ${messageOf(error)}`);
      this.panel.notify(() => ({ type: 'inbox.listed', entries: [], problem: messageOf(error) }));
    }
  }

  async accept({ number, target, text }: Intention<'inbox.accept'>): Promise<void> {
    await this.say(await this.inbox.accept(number, target, text));
  }

  async drop(number: number): Promise<void> {
    await this.say(await this.inbox.drop(number));
  }

  /** Also removes an entry from the page that another window has decided on. */
  private async say(decided: InboxDecision): Promise<void> {
    if (decided.kind === 'refused') {
      void window.showWarningMessage(decided.sentence);
      await this.list();
    } else if (decided.path !== undefined)
      void window.showInformationMessage(t('Kept in {0}.', decided.path));
  }
}
