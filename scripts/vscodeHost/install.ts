/* Puts a complete VS Code server with its web workbench into the cache folder, from the npm package code-server. */

import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrFail } from '../run.ts';
import { cacheFolder, withLock } from './cacheFolder.ts';

/** The one place that names the version. */
const version = '4.139.1';

/** A step that was finished is not done again after an interrupted install. */
interface Step {
  readonly name: string;
  readonly says: string;
  readonly run: (root: string) => Promise<void>;
}

const steps: readonly Step[] = [
  { name: 'unpacked', says: 'Fetching the VS Code server (about 50 MB)', run: unpack },
  {
    name: 'server',
    says: 'Installing the packages of the VS Code server',
    run: root => installIn(serverIn(root)),
  },
  {
    name: 'extensions',
    says: 'Installing the packages of its built-in extensions',
    run: root => installIn(join(serverIn(root), 'extensions')),
  },
];

/** Returns the folder that holds `out/server-main.js`. Fetches it when it is not there yet, which takes minutes. */
export async function installServer(): Promise<string> {
  if (process.platform === 'win32') {
    throw new Error(
      'The browser workbench does not run on Windows. Install VS Code and set VSCODE_PATH to its program.',
    );
  }
  const root = join(cacheFolder(), `code-server-${version}`);
  if (!(await isComplete(root))) {
    await withLock(`${root}.lock`, () => runSteps(root));
  }
  return serverIn(root);
}

async function runSteps(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const step of steps) {
    if (await exists(marker(root, step))) continue;
    console.error(`${step.says} …`);
    await step.run(root);
    await writeFile(marker(root, step), '');
  }
}

async function unpack(root: string): Promise<void> {
  await rm(join(root, 'package'), { recursive: true, force: true });
  const trouble =
    'The npm package code-server could not be fetched. Check that npm reaches its registry, then run this again';
  await runOrFail(
    'npm',
    ['pack', `code-server@${version}`, '--silent', '--pack-destination', root],
    trouble,
    {
      cwd: root,
      quiet: true,
    },
  );
  const archive = join(root, `code-server-${version}.tgz`);
  await runOrFail('tar', ['-xzf', archive, '-C', root], 'The archive of code-server could not be unpacked');
  await rm(archive);
}

/**
 * Not `npm ci`: the shipped shrinkwrap is out of step with the package file. Without scripts: those would build
 * native modules for many minutes, and those that matter ship prebuilt.
 */
async function installIn(folder: string): Promise<void> {
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const trouble =
    'The packages of the VS Code server could not be installed. Check that npm reaches its registry, then run this again';
  await runOrFail('npm', args, trouble, { cwd: folder, quiet: true });
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
