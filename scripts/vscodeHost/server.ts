/* Starts a VS Code server whose web workbench runs one set of extensions. */

import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toolEnvironment } from '../run.ts';

export interface ServerOptions {
  /** What `installServer` returned. */
  readonly installation: string;
  /** Folders of unpacked extensions; each gets the name given. */
  readonly extensions: readonly { readonly name: string; readonly folder: string }[];
  /** Names of VS Code's own extensions that are wanted. All of them would double the time to start. */
  readonly builtIns: readonly string[];
  /** The user's settings, above `quietSettings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** A program and its arguments that run the server, as in a place of its own; absent: it runs as it is. */
  readonly launcher?: readonly string[] | undefined;
  /** Kept by the caller, so that it lasts; otherwise a temporary folder that goes with the server. */
  readonly dataFolder?: string;
  /** Ends a start that nobody waits for any more. */
  readonly signal?: AbortSignal;
}

export interface WorkbenchServer {
  /** Address of the workbench on a folder, or on the folders that a `.code-workspace` names. */
  urlOf(place: string): string;
  /** The user's settings, with what VS Code has written into them. */
  readSettings(): Promise<Readonly<Record<string, unknown>>>;
  /** Replaces the user's settings; open windows notice automatically. */
  writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  readonly dataFolder: string;
  /** Resolves when the server has ended, whether asked to or not. */
  readonly ended: Promise<void>;
  /** Ends the server with all its processes, and removes what was temporary. */
  dispose(): Promise<void>;
}

/** Settings without which VS Code shows pages and asks questions that are in the way. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

const startLimit = 240_000;

/** Returns once the server answers. Fails with what it printed when it ends before that. */
export async function startServer(options: ServerOptions): Promise<WorkbenchServer> {
  const scratch = await mkdtemp(join(tmpdir(), 'folio-vscode-'));
  const dataFolder = options.dataFolder ?? join(scratch, 'data');
  await writeSettings(dataFolder, options.settings);
  const extensionsFolder = await copyExtensions(options, scratch);
  const builtInFolder = await linkBuiltIns(options, scratch);
  const port = await findPort();
  const child = startProcess(options, [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--without-connection-token',
    '--accept-server-license-terms',
    '--telemetry-level',
    'off',
    '--server-data-dir',
    dataFolder,
    '--extensions-dir',
    extensionsFolder,
    '--builtin-extensions-dir',
    builtInFolder,
  ]);
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const dispose = async () => {
    child.stdin?.end();
    await ended;
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
  const address = `http://127.0.0.1:${port}`;
  try {
    await waitForAnswer(address, child, options.signal);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    urlOf: place => {
      const kind = place.endsWith('.code-workspace') ? 'workspace' : 'folder';
      return `${address}/?${kind}=${encodeURIComponent(place)}`;
    },
    readSettings: () => readSettings(dataFolder),
    writeSettings: settings => writeSettings(dataFolder, settings),
    dataFolder,
    ended,
    dispose,
  };
}

/** VS Code empties the file before it writes it again. */
async function readSettings(dataFolder: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const text = await readFile(settingsFile(dataFolder), 'utf8');
    if (text.trimEnd().endsWith('}')) return JSON.parse(text);
    await sleep(20);
  }
}

async function writeSettings(dataFolder: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const file = settingsFile(dataFolder);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** The user's settings and not the machine's: only those may hold settings of the scope "application". */
function settingsFile(dataFolder: string): string {
  return join(dataFolder, 'data', 'User', 'settings.json');
}

async function copyExtensions(options: ServerOptions, scratch: string): Promise<string> {
  const folder = join(scratch, 'extensions');
  await mkdir(folder, { recursive: true });
  for (const extension of options.extensions) {
    await cp(extension.folder, join(folder, extension.name), { recursive: true });
  }
  return folder;
}

async function linkBuiltIns(options: ServerOptions, scratch: string): Promise<string> {
  const folder = join(scratch, 'builtin');
  await mkdir(folder, { recursive: true });
  for (const name of ['node_modules', ...options.builtIns]) {
    await symlink(join(options.installation, 'extensions', name), join(folder, name), 'dir');
  }
  return folder;
}

function startProcess(options: ServerOptions, args: readonly string[]): ChildProcess {
  const guard = join(import.meta.dirname, 'guard.ts');
  const server = join(options.installation, 'out', 'server-main.js');
  const { launcher = [] } = options;
  return spawn(process.execPath, [guard, ...launcher, process.execPath, server, ...args], {
    env: toolEnvironment({
      // Each window has a host of its own for extensions: what the first one has compiled, the others find.
      NODE_COMPILE_CACHE: join(options.installation, '.compiled'),
      ...options.env,
    }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function waitForAnswer(
  address: string,
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<void> {
  let printed = '';
  // Both streams are read to the end even after the start: a full pipe would stop the server.
  child.stdout?.on('data', data => {
    printed = (printed + String(data)).slice(-4000);
  });
  child.stderr?.on('data', data => {
    printed = (printed + String(data)).slice(-4000);
  });
  const limit = Date.now() + startLimit;
  while (Date.now() < limit) {
    signal?.throwIfAborted();
    if (child.exitCode !== null)
      throw new Error(`The VS Code server ended while starting. It said:\n${printed}`);
    // Refused connections are what a starting server looks like.
    const limits = [AbortSignal.timeout(30_000), ...(signal ? [signal] : [])];
    const answer = await fetch(address, { signal: AbortSignal.any(limits) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(250);
  }
  throw new Error(
    `The VS Code server did not answer within ${startLimit / 1000} seconds. It said:\n${printed}`,
  );
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free port was found.'));
        else resolve(address.port);
      });
    });
  });
}
