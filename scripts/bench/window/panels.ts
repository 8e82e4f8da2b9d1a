/* The two measured panels, and actions of a user in them. */

import type { Frame } from 'playwright-core';
import type { Workbench } from '../../../test/workbench/support/workbench.ts';
import { fromKeyToField, type PageNotes, watchPanel, whenLastShows } from './pageWatch.ts';

export interface BenchPanel {
  readonly name: 'bare webview' | 'Folio';
  readonly extension: string;
  /** Key that opens its view, bound by the bare extension. */
  readonly key: string;
  /** Selects what shows the previous session. */
  readonly switchSelector: string;
}

export const bare: BenchPanel = {
  name: 'bare webview',
  extension: 'folio-bench.bare',
  key: 'Control+Alt+7',
  switchSelector: '.switch',
};

export const folio: BenchPanel = {
  name: 'Folio',
  extension: 'folio.folio',
  key: 'Control+Alt+8',
  switchSelector: '.open-sessions .strip-toggle',
};

/** Hides the view, which destroys its page, then opens it. Returns the time from the key to the field. */
export async function openByKey({ page, evaluate }: Workbench, panel: BenchPanel): Promise<number> {
  await evaluate('executeCommand', 'workbench.action.closeAuxiliaryBar');
  await page.locator(`iframe.webview[src*="${panel.extension}"]`).waitFor({ state: 'detached' });
  await page.locator('.part.editor').click();
  const shown = page.evaluate(fromKeyToField, panel.extension);
  await page.waitForTimeout(500);
  await page.keyboard.press(panel.key);
  return await shown;
}

/** A panel page with recorded times. */
export class WatchedPanel {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  static async of({ page }: Workbench, { extension }: BenchPanel): Promise<WatchedPanel> {
    const outer = await page.locator(`iframe.webview[src*="${extension}"]`).elementHandle();
    const inner = await (await outer!.contentFrame())!.waitForSelector('iframe#active-frame');
    const frame = (await inner.contentFrame())!;
    await frame.locator('textarea').waitFor();
    await frame.evaluate(watchPanel);
    return new WatchedPanel(frame);
  }

  async ask(prompt: string): Promise<void> {
    const field = this.frame.locator('textarea');
    await field.fill(prompt);
    await field.press('Enter');
  }

  readNotes(): Promise<PageNotes> {
    return this.frame.evaluate(() => window.benchNotes!);
  }

  /** Returns the wall clock time when the text is drawn. */
  whenAnswered(text: string): Promise<number> {
    return this.frame.evaluate(whenLastShows, { selector: '.answer', text });
  }

  /** Returns the time from the click until the last answer is this one. */
  async clickUntil(
    selector: string,
    wanted: { readonly selector: string; readonly text: string },
  ): Promise<number> {
    const shown = this.frame.evaluate(whenLastShows, wanted);
    await this.frame.locator(selector).first().click();
    const at = await shown;
    return at - (await this.readNotes()).clicks.at(-1)!;
  }
}
