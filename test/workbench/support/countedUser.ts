import type { Locator, Page } from 'playwright-core';

/** Input of a user. */
export interface InputCount {
  /** A chord is one. */
  readonly keys: number;
  readonly clicks: number;
  /** Words that the user writes, however many: every agent needs the same. */
  readonly texts: number;
}

/** A user whose keys, clicks and texts are counted as they happen, so that a count cannot differ from what was done. */
export class CountedUser {
  private readonly page: Page;
  private keys = 0;
  private clicks = 0;
  private texts = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get count(): InputCount {
    return { keys: this.keys, clicks: this.clicks, texts: this.texts };
  }

  async press(chord: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(chord);
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  /** Goes where the focus is. */
  async type(text: string): Promise<void> {
    this.texts++;
    await this.page.keyboard.type(text);
  }
}
