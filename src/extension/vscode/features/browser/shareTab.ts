/* Shares a tab of the user's own browser, with an indicator in the status bar. */

import { type QuickPickItem, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { classifyHost } from '../../../platform/browser/addresses.ts';
import { type Browser, BrowserError, type SessionBrowsers } from '../../../platform/browser/browser.ts';
import type { UserTab } from '../../../platform/browser/tabs.ts';
import type { ActiveSession } from '../../activeSession.ts';

/** The port in most instructions for remote debugging. */
const usualAddress = '127.0.0.1:9222';

export class TabSharer {
  private readonly shown = new Map<Browser, StatusBarItem>();
  private last = usualAddress;

  /** Shares it with the shown session, which is created if needed. */
  async share(session: Pick<ActiveSession, 'open'>, pages: SessionBrowsers): Promise<void> {
    const browser = pages.get((await session.open()).id);
    if (!browser) return void window.showInformationMessage(t('The browser is switched off here.'));
    try {
      const tab = await this.pick(browser);
      if (!tab) return;
      await browser.sharing.share(tab);
      if (!browser.isAvailable()) {
        browser.sharing.stop();
        return void window.showInformationMessage(t('The browser is switched off here.'));
      }
      this.show(browser, tab);
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
      void window.showWarningMessage(sanitiseLine(error.message, 500));
    }
  }

  /** Stops sharing with every session: a user who stops wants nothing to be shared. */
  stop(): void {
    if (this.shown.size === 0) void window.showInformationMessage(t('You are not sharing a tab.'));
    for (const browser of [...this.shown.keys()]) browser.sharing.stop();
  }

  private async pick(browser: Browser): Promise<UserTab | undefined> {
    const at = await this.askAddress();
    if (at === undefined) return undefined;
    const tabs = await browser.sharing.list(at);
    this.last = at;
    const items = tabs.map(tab => ({ ...rowOf(tab), tab }));
    if (items.length === 0) throw new BrowserError(t('That browser has no open web page.'));
    const picked = await window.showQuickPick(items, {
      title: t('Share a tab with the agent'),
      placeHolder: t('It sees and uses this tab only, as you are signed in there'),
      matchOnDescription: true,
    });
    return picked?.tab;
  }

  /** Asks the user each time, so that nothing else can choose the browser. */
  private async askAddress(): Promise<string | undefined> {
    const given = await window.showInputBox({
      title: t('Share a tab with the agent'),
      prompt: t('Where your browser takes connections, started with --remote-debugging-port=9222'),
      value: this.last,
      ignoreFocusOut: true,
      validateInput: value => (readAddress(value) ? undefined : t('Enter a host and a port.')),
    });
    const address = given === undefined ? undefined : readAddress(given);
    if (!address || classifyHost(address.hostname) === 'local') return address?.host;
    const connect = t('Connect');
    const detail = t(
      'It is on another machine. The connection is not encrypted, and anyone who can reach that port can control the browser.',
    );
    const title = t('Connect to {0}?', address.host);
    return (await window.showWarningMessage(title, { modal: true, detail }, connect)) === connect
      ? address.host
      : undefined;
  }

  private show(browser: Browser, tab: UserTab): void {
    const item = window.createStatusBarItem('folio.sharedTab', StatusBarAlignment.Right, 99);
    item.name = t('Shared tab');
    item.text = `$(broadcast) ${sanitiseLine(new URL(tab.address).host, 40)}`;
    item.tooltip = t(
      'The agent sees and uses your tab {0}. Press to stop sharing.',
      sanitiseLine(tab.title, 100),
    );
    item.accessibilityInformation = { label: item.tooltip, role: 'button' };
    item.backgroundColor = new ThemeColor('statusBarItem.warningBackground');
    item.command = 'folio.browser.stopSharing';
    this.shown.get(browser)?.dispose();
    this.shown.set(browser, item);
    item.show();
    const listening = browser.sharing.onDidChange(change => {
      listening.dispose();
      if (change === 'shared') return;
      if (this.shown.get(browser) === item) this.shown.delete(browser);
      item.dispose();
      if (change === 'lost')
        void window.showInformationMessage(
          t('Your tab was closed or does not respond. It is no longer shared.'),
        );
    });
  }
}

/** Returns `undefined` for invalid addresses and cloud metadata services. */
function readAddress(given: string): URL | undefined {
  const text = given.trim();
  const whole = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : `http://${text.replace(/^http:\/\//, '')}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url?.port && url.username === '' && classifyHost(url.hostname) !== 'metadata' ? url : undefined;
}

function rowOf({ title, address }: UserTab): QuickPickItem {
  // A title could contain icon syntax, as in Folio's own rows.
  const plain = (text: string) => sanitiseLine(text, 120).replaceAll('$(', '$ (');
  const { host, pathname } = new URL(address);
  return { label: plain(title) || host, description: plain(`${host}${pathname}`) };
}
