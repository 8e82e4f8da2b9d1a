import { cp, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolio, packProbe } from '../../../test/workbench/support/packExtensions.ts';
import { probeAddressVariable } from '../../../test/workbench/support/probe/probes.ts';
import { openProbeChannel } from '../../../test/workbench/support/probeChannel.ts';
import { TestBrowser } from '../../../test/workbench/support/testBrowser.ts';
import { openWorkbench, settingsOfTests, type Workbench } from '../../../test/workbench/support/workbench.ts';
import { installChromium } from '../../vscodeHost/chromium.ts';
import { installServer } from '../../vscodeHost/install.ts';
import { startServer } from '../../vscodeHost/server.ts';
import { writeNotes } from '../folders.ts';

/** Files in the workspace of the window. */
export const noteCount = 300;

/** Disables limits that would stop a prompt of many steps. */
const unlimited = {
  'folio.maxSteps': 1000,
  'folio.budget.turnTokens': 1_000_000_000,
  'folio.budget.turnCost': 100_000,
  'folio.budget.sessionTokens': 1_000_000_000,
  'folio.budget.sessionCost': 100_000,
};

export interface BenchWindow extends AsyncDisposable {
  readonly window: Workbench;
  /** The folder in which Folio keeps the sessions of this workspace. */
  sessionsFolder(): Promise<string>;
}

/**
 * Opens a real VS Code in a browser, with the bare webview in it.
 * @param model address of the server that plays the model
 * @param builtIns VS Code's own extensions: those that a window needs, or all
 */
export async function openWindow(
  model: string,
  which: 'withFolio' | 'bareOnly',
  builtIns: 'few' | 'all' = 'few',
): Promise<BenchWindow> {
  const owned = new AsyncDisposableStack();
  try {
    const scratch = await realpath(await mkdtemp(join(tmpdir(), 'folio-bench-window-')));
    owned.defer(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
    const [folder, home, bare] = ['workspace', 'home', 'bare'].map(name => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    for (const each of [folder, home]) await mkdir(each);
    await writeNotes(folder, noteCount, 1000);
    await cp(join(import.meta.dirname, 'bare'), bare, { recursive: true });
    const channel = await openProbeChannel();
    owned.defer(() => channel.dispose());
    const installation = await installServer();
    const server = await startServer({
      installation,
      extensions: [
        { name: 'folio-bench.bare-0.0.0', folder: bare },
        await packProbe(scratch),
        ...(which === 'withFolio' ? [await packFolio(scratch)] : []),
      ],
      builtIns: builtIns === 'few' ? ['theme-defaults'] : await listBuiltIns(installation),
      settings: { ...settingsOfTests, ...unlimited, 'folio.baseUrl': model },
      env: {
        [probeAddressVariable]: channel.address,
        FOLIO_BENCH_URL: model,
        GEMINI_API_KEY: 'test',
        HOME: home,
      },
    });
    owned.defer(() => server.dispose());
    const browser = new TestBrowser(await installChromium());
    owned.defer(() => browser.end());
    const window = await openWorkbench({
      server,
      browser,
      channel,
      folder,
    });
    return {
      window,
      async sessionsFolder() {
        const storage = (await window.evaluate('executeCommand', 'bare.storage')) as string;
        return join(storage, '..', 'folio.folio', 'sessions');
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
}

async function listBuiltIns(installation: string): Promise<readonly string[]> {
  const entries = await readdir(join(installation, 'extensions'), { withFileTypes: true });
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  return names.filter(name => name !== 'node_modules');
}
