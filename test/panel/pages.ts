import type { Browser, Page } from 'playwright-core';

/**
 * Pages of one browser, each in a context of its own. A page that is given back serves the next panel, since to make
 * one costs more than to load it again.
 */
export class Pages {
  readonly #browser: Browser;
  /** Says what a new page runs before the scripts of its documents. */
  readonly #prepare: (page: Page) => Promise<void>;
  readonly #lent = new Set<Page>();
  #idle: Page | undefined;

  constructor(browser: Browser, prepare: (page: Page) => Promise<void>) {
    this.#browser = browser;
    this.#prepare = prepare;
  }

  async take(): Promise<Page> {
    const page = this.#idle ?? (await this.#make());
    this.#idle = undefined;
    this.#lent.add(page);
    return page;
  }

  async giveBack(page: Page): Promise<void> {
    if (!this.#lent.delete(page)) return;
    if (this.#idle) await page.context().close();
    else this.#idle = page;
  }

  /** Closes what is not given back: it may be in any state. */
  async discardLent(): Promise<void> {
    for (const page of this.#lent) await page.context().close();
    this.#lent.clear();
  }

  async #make(): Promise<Page> {
    const context = await this.#browser.newContext();
    // A slow machine needs longer than the 30 seconds that are usual; the test's own limit catches what hangs.
    context.setDefaultTimeout(150_000);
    const page = await context.newPage();
    await this.#prepare(page);
    return page;
  }
}
