import type { Browser, Page } from 'playwright-core';

/** A test seldom shows more panels at once. */
const mostIdle = 4;

/**
 * Pages of one browser, each in a context of its own. Pages that are given back serve the next panels, since to make
 * one costs more than to load it again.
 */
export class Pages {
  readonly #browser: Browser;
  /** Says what a new page runs before the scripts of its documents. */
  readonly #prepare: (page: Page) => Promise<void>;
  readonly #lent = new Set<Page>();
  readonly #idle: Page[] = [];

  constructor(browser: Browser, prepare: (page: Page) => Promise<void>) {
    this.#browser = browser;
    this.#prepare = prepare;
  }

  async take(): Promise<Page> {
    const page = this.#idle.pop() ?? (await this.#make());
    this.#lent.add(page);
    return page;
  }

  async giveBack(page: Page): Promise<void> {
    if (!this.#lent.delete(page)) return;
    if (this.#idle.length === mostIdle) return await page.context().close();
    // A panel at work would go on moving beside the next one.
    if (this.#idle.length > 0) await page.goto('about:blank');
    this.#idle.push(page);
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
