/* Puts a complete VS Code server with its web workbench into the cache folder, from the npm package code-server. */

import { type ExecFileOptions, execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../run.ts';
import { cacheFolder, withLock } from './cacheFolder.ts';

/** The one place that names the version. */
export const serverVersion = '4.139.1';

/** Counts up when another selection of packages is installed: a folder that is there is taken as it is. */
const selection = 2;

/** In the cache folder. */
export const serverFolder = `vscode-server-${serverVersion}-${selection}`;

/** Built-in extensions that are large and never run here. */
const notUnpacked: readonly string[] = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];

/** Packages that are large or native, and that only parts of VS Code need which never run here. */
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

/** A step that was finished is not done again after an interrupted install. */
interface Step {
  readonly name: string;
  readonly says: string;
  readonly run: (root: string, signal: AbortSignal | undefined) => Promise<void>;
}

export interface InstallOptions {
  /** Says what begins, and which part of how many it is. */
  readonly notify?: (what: string, part: number, parts: number) => void;
  /** Ends it, with all that it started; what was finished stays. */
  readonly signal?: AbortSignal;
}

const steps: readonly Step[] = [
  { name: 'unpacked', says: 'Fetching the VS Code server that the tests open (about 50 MB)', run: unpack },
  { name: 'installed', says: 'Installing its packages', run: installPackages },
];

/** Returns the folder that holds `out/server-main.js`. Fetches it when it is not there yet. */
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
 * Not `npm ci`: the shipped shrinkwrap is out of step with the package file. Without scripts: those would build
 * native modules for many minutes, and those that matter ship prebuilt.
 */
async function installIn(folder: string, signal: AbortSignal | undefined): Promise<void> {
  // npm takes a package that it was killed in the middle of for a whole one.
  await rm(join(folder, 'node_modules'), { recursive: true, force: true });
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await npm('install the packages of the VS Code server', folder, args, signal);
}

/** What npm writes while it works is left out; of a failure its complaint is told. */
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

/** Settles once the program has ended, also when it was made to. */
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

/** The first thing that npm or tar said about its failure. */
function complaintOf(error: { readonly stderr?: string; readonly message: string }): string {
  const lines = (error.stderr ?? '').split('\n').map(line => line.replace(/^(npm error|tar:) ?/, '').trim());
  const said = lines.find(line => line !== '' && !/^(code|errno|syscall|npm warn) /.test(line));
  return said ?? error.message;
}
