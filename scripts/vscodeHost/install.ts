/* Installs a VS Code server with web workbench into the cache folder, from the npm package code-server. */

import { type ExecFileOptions, execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../run.ts';
import { cacheFolder, withLock } from './cacheFolder.ts';

/** Version, defined only here. */
export const serverVersion = '4.139.1';

/** Increase when the selection of packages changes, since existing folders are reused. */
const selection = 2;

/** Folder name in the cache folder. */
export const serverFolder = `vscode-server-${serverVersion}-${selection}`;

/** Large built-in extensions that never run here. */
const notUnpacked: readonly string[] = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

/** Large or native packages for parts of VS Code that never run here. */
const notInstalled: readonly string[] = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'ssh2',
];

/** A step of the installation. Finished steps are not repeated after an interruption. */
interface Step {
  readonly name: string;
  readonly says: string;
  readonly run: (root: string, signal: AbortSignal | undefined) => Promise<void>;
}

export interface InstallOptions {
  /** Reports the start of a part. */
  readonly notify?: (what: string, part: number, parts: number) => void;
  /** Cancels the installation and its processes. Finished steps stay. */
  readonly signal?: AbortSignal;
}

const steps: readonly Step[] = [
  { name: 'unpacked', says: 'Fetching the VS Code server that the tests open (about 50 MB)', run: unpack },
  { name: 'installed', says: 'Installing its packages', run: installPackages },
];

/** Returns the folder with `out/server-main.js`. Installs it if missing. */
export async function installServer(options: InstallOptions = {}): Promise<string> {
  if (process.platform === 'win32') {
    throw new Error(
      'The browser workbench does not run on Windows. Install VS Code and set VSCODE_PATH to its program.',
    );
  }
  const root = join(cacheFolder(), serverFolder);
  if (!(await isComplete(root))) {
    await withLock(root, () => runSteps(root, options), options.signal);
  }
  return serverIn(root);
}

async function runSteps(
  root: string,
  { notify = what => console.error(`${what} …`), signal }: InstallOptions,
): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [index, step] of steps.entries()) {
    signal?.throwIfAborted();
    if (await exists(marker(root, step))) continue;
    notify(step.says, index + 1, steps.length);
    await step.run(root, signal);
    await writeFile(marker(root, step), '');
  }
}

async function unpack(root: string, signal: AbortSignal | undefined): Promise<void> {
  await rm(join(root, 'package'), { recursive: true, force: true });
  const args = ['pack', `code-server@${serverVersion}`, '--pack-destination', root];
  await npm('fetch the package code-server', root, args, signal);
  const archive = join(root, `code-server-${serverVersion}.tgz`);
  const without = notUnpacked.map(name => `--exclude=package/lib/vscode/extensions/${name}`);
  await tar([...without, '-xzf', archive, '-C', root], signal);
  await rm(archive);
}

async function tar(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  await execute('tar', args, {}, signal).catch(error => {
    throw new Error(
      `The VS Code server could not be unpacked (${complaintOf(error)}): make room on the disk, then run this again.`,
    );
  });
}

async function installPackages(root: string, signal: AbortSignal | undefined): Promise<void> {
  const server = serverIn(root);
  await leaveOut(join(server, 'package.json'), notInstalled);
  await Promise.all([installIn(server, signal), installIn(join(server, 'extensions'), signal)]);
}

async function leaveOut(file: string, names: readonly string[]): Promise<void> {
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  for (const name of names) delete manifest.dependencies[name];
  await writeFile(file, JSON.stringify(manifest, null, 2));
}

/**
 * Installs packages. Not by `npm ci`, since the shipped shrinkwrap does not match the package file. Without scripts,
 * which would build native modules for minutes; those that matter are prebuilt.
 */
async function installIn(folder: string, signal: AbortSignal | undefined): Promise<void> {
  // After a kill, npm would treat a partial package as complete.
  await rm(join(folder, 'node_modules'), { recursive: true, force: true });
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm('install the packages of the VS Code server', folder, args, signal);
}

/** Runs npm without its output. An error has its message. */
async function npm(
  aim: string,
  cwd: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = { cwd, env: toolEnvironment(), maxBuffer: 64 * 2 ** 20 };
  await execute('npm', [...args, '--loglevel=error'], options, signal).catch(error => {
    throw new Error(
      `npm could not ${aim} (${complaintOf(error)}): check that it reaches its registry, then run this again.`,
    );
  });
}

/** Settles after the program has ended, also when aborted. */
async function execute(
  program: string,
  args: readonly string[],
  options: ExecFileOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const running = promisify(execFile)(program, args, options);
  const end = () => void running.child.kill();
  signal?.addEventListener('abort', end, { once: true });
  try {
    await running;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function isComplete(root: string): Promise<boolean> {
  const done = await Promise.all(steps.map(step => exists(marker(root, step))));
  return done.every(Boolean);
}

function marker(root: string, step: Step): string {
  return join(root, `.${step.name}`);
}

function serverIn(root: string): string {
  return join(root, 'package', 'lib', 'vscode');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Returns the first error line of npm or tar. */
function complaintOf(error: { readonly stderr?: string; readonly message: string }): string {
  const lines = (error.stderr ?? '').split('\n').map(line => line.replace(/^(npm error|tar:) ?/, '').trim());
  const said = lines.find(line => line !== '' && !/^(code|errno|syscall|npm warn) /.test(line));
  return said ?? error.message;
}
