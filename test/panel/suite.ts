/* One browser and one build of the page for all specs. */

import { chromium } from 'playwright-core';
import { test as base } from 'vitest';
import { openPanel, type PanelOptions, type PanelPage } from './panelPage.ts';
import { type PanelServer, startPanelServer } from './panelServer.ts';

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--renderer-process-limit=1',
];

export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
  .extend('server', { scope: 'worker' }, async ({}, { onCleanup }): Promise<PanelServer> => {
    const server = await startPanelServer();
    onCleanup(() => server.close());
    return server;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: flags });
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
