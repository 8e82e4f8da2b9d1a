/* One browser for all specs of a worker. */

import { test as base, inject } from 'vitest';
import { launchChromium } from '../../scripts/vscodeHost/chromium.ts';
import { Pages } from './pages.ts';
import { openPanel, type PanelOptions, type PanelPage, preparePanelPage } from './panelPage.ts';

export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium(inject('chromiumPath'));
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('pages', { scope: 'worker' }, ({ browser }) => new Pages(browser, preparePanelPage))
  .extend('open', async ({ pages, task }, { onCleanup }) => {
    const panels: PanelPage[] = [];
    onCleanup(async () => {
      if (task.result?.state === 'fail') await pages.discardLent();
      else for (const panel of panels) await panel.close();
    });
    return async (options?: PanelOptions): Promise<PanelPage> => {
      const panel = await openPanel(pages, inject('panelAddress'), options);
      panels.push(panel);
      return panel;
    };
  });
