/* One browser and one build of the page for all specs. */

import { test as base, inject } from 'vitest';
import { launchChromium } from '../../scripts/vscodeHost/chromium.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panelPage.ts';
import { type PanelServer, startPanelServer } from './panelServer.ts';

export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
  .extend('server', { scope: 'worker' }, async ({}, { onCleanup }): Promise<PanelServer> => {
    const server = await startPanelServer();
    onCleanup(() => server.close());
    return server;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchChromium(inject('chromiumPath'));
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser, server }, { onCleanup }) => {
    const panels: PanelPage[] = [];
    onCleanup(async () => {
      for (const panel of panels) await panel.close();
    });
    return async (options?: PanelOptions): Promise<PanelPage> => {
      const panel = await openPanel(browser, server.address, options);
      panels.push(panel);
      return panel;
    };
  });
