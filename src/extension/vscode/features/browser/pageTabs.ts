import { type Uri, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import { type Browser, BrowserError } from '../../../platform/browser/browser.ts';
import type { Log } from '../../../platform/log.ts';
import { PageTab } from './pageTab.ts';
import { TabSharer } from './shareTab.ts';

/** Tabs in which the user controls pages, at most one per browser, and tabs of their own browser that they share. */
export class PageTabs {
  private readonly extension: Uri;
  private readonly log: Log;
  private readonly open = new Map<Browser, PageTab>();
  readonly sharer = new TabSharer();

  constructor(extension: Uri, log: Log) {
    this.extension = extension;
    this.log = log;
  }

  /** Shows the tab of a page that the user already controls. */
  async takeOver(browser: Browser | undefined): Promise<void> {
    if (browser?.address === undefined) {
      void window.showInformationMessage(t('No page is open in this session. Ask the agent to open one.'));
      return;
    }
    const present = this.open.get(browser);
    if (present?.reveal()) return;
    present?.ended();
    const tab = new PageTab(this.extension, this.log);
    this.open.set(browser, tab);
    tab.onEnd(() => this.open.delete(browser));
    try {
      tab.follow(await browser.takeOver(tab));
    } catch (error) {
      tab.ended();
      if (!(error instanceof BrowserError)) throw error;
      void window.showInformationMessage(oneLine(error.message));
    }
  }

  async giveBack(browser: Browser | undefined): Promise<void> {
    const tab = browser && this.open.get(browser);
    if (tab) tab.ended();
    else void window.showInformationMessage(t('You are not using the page of this session.'));
  }
}
