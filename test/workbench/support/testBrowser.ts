import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/vscodeHost/chromium.ts';

/** Browser of all windows. Its pages share one process, so a hung page blocks the others. */
export class TestBrowser {
  private readonly chromiumPath: string;
  private started: Promise<Browser> | undefined;

  constructor(chromiumPath: string) {
    this.chromiumPath = chromiumPath;
  }

  async openPage(): Promise<Page> {
    this.started ??= launchChromium(this.chromiumPath);
    const browser = await this.started;
    const [context = await browser.newContext({ viewport: { width: 1280, height: 800 } })] =
      browser.contexts();
    return await context.newPage();
  }

  /** Ends the browser with all its pages. The next page starts a new one. */
  async end(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await (await started)?.close();
  }
}
