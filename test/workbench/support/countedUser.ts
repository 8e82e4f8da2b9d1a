import type { Locator, Page } from 'playwright-core';

/** Input of a user. */
export interface InputCount {
  /** Number of keys; a chord counts as one. */
  readonly keys: number;
  readonly clicks: number;
  /** Number of typed texts of any length, which every agent needs. */
  readonly texts: number;
}

/** A user whose real keys, clicks and texts are counted. */
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

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    this.texts++;
    await this.page.keyboard.type(text);
  }
}
