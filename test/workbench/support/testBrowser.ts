import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/vscodeHost/chromium.ts';

/** The browser of all windows. All its pages share one process, so one that hangs takes the others with it. */
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

  /** Ends it with all its pages; the next page gets a new one. */
  async end(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await (await started)?.close();
  }
}
