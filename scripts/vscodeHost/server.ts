/* Starts a VS Code server whose web workbench runs one set of extensions. */

import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toolEnvironment } from '../run.ts';

export interface ServerOptions {
  /** Result of `installServer`. */
  readonly installation: string;
  /** Folders of unpacked extensions, with their names. */
  readonly extensions: readonly { readonly name: string; readonly folder: string }[];
  /** Built-in extensions to load. All of them would double the start time. */
  readonly builtIns: readonly string[];
  /** User settings, which override `quietSettings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Command that wraps the server, such as a sandbox. Absent: it runs directly. */
  readonly launcher?: readonly string[] | undefined;
  /** Data folder owned by the caller. Absent: a temporary folder, removed with the server. */
  readonly dataFolder?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

export interface WorkbenchServer {
  /** Returns the address of the workbench for a folder or a `.code-workspace` file. */
  urlOf(place: string): string;
  /** Reads the user settings, including changes by VS Code. */
  readSettings(): Promise<Readonly<Record<string, unknown>>>;
  /** Replaces the user settings. Open windows apply them automatically. */
  writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  readonly dataFolder: string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends the server with all its processes, and removes temporary files. */
  dispose(): Promise<void>;
}

/** Settings that suppress welcome pages and questions of VS Code. */
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

/** Starts the server and waits until it answers. Rejects with its output if it ends before. */
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

/** Reads settings, again if VS Code has just emptied the file to write it. */
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

/** Returns the file of user settings. Machine settings cannot have the scope "application". */
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
      // Shares compiled code between the extension hosts of windows.
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
  // Reads both streams to the end, since a full pipe would block the server.
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
    // A starting server refuses connections.
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
