/* One server and one browser for all workbench tests; each test opens windows of its own. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { test as base, inject } from 'vitest';
import { launchChromium } from '../../../scripts/vscodeHost/chromium.ts';
import { startServer, type WorkbenchServer } from '../../../scripts/vscodeHost/server.ts';
import {
  type GeminiServer,
  type GeminiServerOptions,
  startGeminiServer,
} from '../../support/geminiServer.ts';
import { packFolio, packGuest, packProbe } from './packExtensions.ts';
import { probeAddressVariable } from './probe/probes.ts';
import { openProbeChannel, type ProbeChannel } from './probeChannel.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

/** What is shared by all tests. */
export interface Suite {
  readonly server: WorkbenchServer;
  readonly browser: BrowserContext;
  readonly channel: ProbeChannel;
  /** The home folder of the person who uses the windows. */
  readonly home: string;
}

/** Opens a window; it is closed when the test ends. */
export type OpenWindow = (options: WorkbenchOptions) => Promise<Workbench>;

/** Makes a folder with these files, named by relative paths; it is removed when the test ends. */
export type MakeFolder = (files: Readonly<Record<string, string | Uint8Array>>) => Promise<string>;

/** Puts files into the person's home, named by relative paths; they are removed when the test ends. */
export type WriteHome = (files: Readonly<Record<string, string>>) => Promise<void>;

/** Starts a server that plays what a test scripts; it ends with the test. */
export type StartGemini = (options?: GeminiServerOptions) => Promise<GeminiServer>;

/** VS Code's own extensions that the tests need. */
const builtIns = [
  ...['theme-defaults', 'git-base', 'git', 'typescript-basics', 'javascript', 'json', 'diff'],
  // Finds problems in TypeScript; it starts when such a file is opened and not before.
  'typescript-language-features',
];

export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the fixture needs.
  .extend('suite', { scope: 'worker' }, async ({}, { onCleanup }): Promise<Suite> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    const scratch = await mkdtemp(join(tmpdir(), 'folio-suite-'));
    owned.defer(() => rm(scratch, { recursive: true, force: true }));
    const home = join(scratch, 'home');
    const channel = await openProbeChannel();
    owned.defer(() => channel.dispose());
    const server = await startServer({
      installation: inject('serverInstallation'),
      extensions: [await packFolio(scratch), await packProbe(scratch), await packGuest(scratch)],
      builtIns,
      settings: {},
      env: {
        [probeAddressVariable]: channel.address,
        GEMINI_API_KEY: 'test',
        // What the person who runs the tests keeps for this and other agents has no say here.
        HOME: home,
      },
    });
    owned.defer(() => server.dispose());
    const chrome = await launchChromium(inject('chromiumPath'));
    owned.defer(() => chrome.close());
    const browser = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    return { server, browser, channel, home };
  })
  // Before `open`, so that a folder outlives the windows on it.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the fixture needs.
  .extend('makeFolder', async ({}, { onCleanup }): Promise<MakeFolder> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async files => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), 'folio-workspace-')));
      owned.defer(() => rm(folder, { recursive: true, force: true }));
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      return folder;
    };
  })
  .extend('writeHome', async ({ suite }, { onCleanup }): Promise<WriteHome> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async files => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(suite.home, path);
        await mkdir(dirname(file), { recursive: true });
        owned.defer(() => rm(file, { force: true }));
        await writeFile(file, text);
      }
    };
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the fixture needs.
  .extend('startGemini', async ({}, { onCleanup }): Promise<StartGemini> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async options => {
      const gemini = await startGeminiServer(options);
      owned.defer(() => gemini.dispose());
      return gemini;
    };
  })
  .extend('open', async ({ suite, makeFolder: _, task }, { onCleanup }): Promise<OpenWindow> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async options => {
      const window = await openWorkbench(suite, options);
      owned.defer(async () => {
        if (task.result?.state === 'fail')
          await window.screenshot(`failure ${task.name.slice(0, 60).replaceAll('/', ' ')}`);
        await window.close();
      });
      return window;
    };
  });
