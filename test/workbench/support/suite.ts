/* One server, one browser and one window for all tests of a worker; few need a window of their own. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test as base, inject, type TestContext } from 'vitest';
import { startServer, type WorkbenchServer } from '../../../scripts/vscodeHost/server.ts';
import {
  type GeminiServer,
  type GeminiServerOptions,
  startGeminiServer,
} from '../../support/geminiServer.ts';
import { type PackedExtension, packClient, packFolio, packProbe } from './packExtensions.ts';
import { probeAddressVariable } from './probe/probes.ts';
import { openProbeChannel, type ProbeChannel } from './probeChannel.ts';
import { type Files, SharedWindow, writeFiles } from './sharedWindow.ts';
import { TestBrowser } from './testBrowser.ts';
import { openWorkbench, settingsOfTests, type Workbench } from './workbench.ts';

/** What is shared by all tests. */
export interface Suite {
  readonly server: WorkbenchServer;
  readonly browser: TestBrowser;
  readonly channel: ProbeChannel;
  /** The home folder of the user who uses the windows. */
  readonly home: string;
  /** Another server like the shared one, with other settings and variables. */
  startServer(
    settings: Readonly<Record<string, unknown>>,
    env: NodeJS.ProcessEnv,
    extensions?: readonly PackedExtension[],
    moreBuiltIns?: readonly string[],
    launcher?: readonly string[],
  ): Promise<WorkbenchServer>;
}

/** Empties the workspace of the window that tests share, and fills it with these files; returns its folder. */
export type MakeWorkspace = (files: Files) => Promise<string>;

/** Opens the window that tests share, on the workspace that `makeWorkspace` has made. */
export type OpenWindow = (options?: Pick<OwnWindow, 'settings'>) => Promise<Workbench>;

/** Opens a window that no other test has, with a server of its own; both are gone when the test ends. */
export type OpenOwnWindow = (options: OwnWindow) => Promise<Workbench>;

export interface OwnWindow {
  /** Absolute, without symlinks, or a `.code-workspace`; a window without a folder when it is left out. */
  readonly folder?: string;
  /** The user's settings, for example `folio.baseUrl`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables that differ from the suite's; `undefined` takes one away. */
  readonly env?: NodeJS.ProcessEnv;
  /** These beside the probe, in place of the packaged Folio and its client extension. */
  readonly extensions?: readonly PackedExtension[];
  /** Extensions of VS Code that few tests need. */
  readonly moreBuiltIns?: readonly string[];
  /** Runs the server, as `ServerOptions` has it. */
  readonly launcher?: readonly string[];
  /** VS Code's display language, `zh-cn` for example; otherwise English. */
  readonly language?: string;
}

/** Makes a folder with these files, named by relative paths; it is removed when the test ends. */
export type MakeFolder = (files: Files) => Promise<string>;

/** Puts files into the user's home, named by relative paths; they and their folders are gone when the test ends. */
export type WriteHome = (files: Readonly<Record<string, string>>) => Promise<void>;

/** Starts a server that plays what a test scripts; it ends with the test. */
export type StartGemini = (options?: GeminiServerOptions) => Promise<GeminiServer>;

/** VS Code's own extensions that the tests need. */
const builtIns = [
  'ipynb',
  'theme-defaults',
  'git-base',
  'git',
  'typescript-basics',
  'javascript',
  'json',
  'diff',
  'media-preview',
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
    const probe = await packProbe(scratch);
    const packaged = [await packFolio(scratch), await packClient(scratch)];
    const startOne: Suite['startServer'] = (settings, env, extensions = packaged, more = [], launcher) =>
      startServer({
        launcher,
        installation: inject('serverInstallation'),
        extensions: [probe, ...extensions],
        builtIns: [...builtIns, ...more],
        settings: { ...settingsOfTests, ...settings },
        env: {
          [probeAddressVariable]: channel.address,
          GEMINI_API_KEY: 'test',
          // Requests hold the same tools on machines with and without a browser.
          FOLIO_BROWSER: 'off',
          // What the user who runs the tests keeps for this and other agents has no say here.
          HOME: home,
          ...env,
        },
      });
    const server = await startOne({}, {});
    owned.defer(() => server.dispose());
    const browser = new TestBrowser(inject('chromiumPath'));
    owned.defer(() => browser.end());
    return { server, browser, channel, home, startServer: startOne };
  })
  // Before `open`, so that a folder outlives the windows on it.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the fixture needs.
  .extend('makeFolder', async ({}, { onCleanup }): Promise<MakeFolder> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async files => {
      const folder = await realpath(await mkdtemp(join(tmpdir(), 'folio-workspace-')));
      owned.defer(() => rm(folder, { recursive: true, force: true }));
      await writeFiles(folder, files);
      return folder;
    };
  })
  .extend('shared', { scope: 'worker' }, async ({ suite }, { onCleanup }): Promise<SharedWindow> => {
    const shared = new SharedWindow(suite);
    onCleanup(() => shared.discard());
    return shared;
  })
  .extend('makeWorkspace', async ({ shared, task }, { onCleanup }): Promise<MakeWorkspace> => {
    // What a test that failed has left behind is nobody else's problem.
    onCleanup(async () => {
      if (task.result?.state === 'fail') await shared.giveUp(nameOfPicture(task));
    });
    return files => shared.makeWorkspace(files);
  })
  .extend('writeHome', async ({ suite }, { onCleanup }): Promise<WriteHome> => {
    const owned = new AsyncDisposableStack();
    onCleanup(() => owned.disposeAsync());
    return async files => {
      for (const [path, text] of Object.entries(files)) {
        const file = join(suite.home, path);
        const madeFolder = await mkdir(dirname(file), { recursive: true });
        owned.defer(() => rm(madeFolder ?? file, { recursive: true, force: true }));
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
  .extend('open', async ({ shared, makeWorkspace: _ }): Promise<OpenWindow> => {
    return ({ settings = {} } = {}) => shared.open(settings);
  })
  .extend(
    'openOwn',
    async ({ suite, shared, makeFolder: _, task }, { onCleanup }): Promise<OpenOwnWindow> => {
      const owned = new AsyncDisposableStack();
      onCleanup(() => owned.disposeAsync());
      return async ({ folder, settings = {}, env = {}, extensions, moreBuiltIns, launcher, language }) => {
        const server = await suite.startServer(settings, env, extensions, moreBuiltIns, launcher);
        owned.defer(() => server.dispose());
        const window = await openWorkbench({ ...suite, server, folder, language });
        owned.defer(async () => {
          if (task.result?.state === 'fail') await shared.giveUp(nameOfPicture(task), window);
          else await window.close();
        });
        return window;
      };
    },
  );

function nameOfPicture({ name }: TestContext['task']): string {
  return `failure ${name.slice(0, 60).replaceAll('/', ' ')}`;
}
