import { rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHostedGit } from './hostedGit.ts';

/** Makes a temporary folder, by its real path, that `dispose` removes. */
export async function makeFolder(): Promise<{
  readonly root: string;
  readonly dispose: () => Promise<void>;
}> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'folio-git-')));
  return { root, dispose: () => rm(root, { recursive: true, force: true }) };
}

/** Runs Git without the settings of the user. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.invalid',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.invalid',
  };
  return await runHostedGit(folder, args, env);
}

/** Makes a repository with a first commit of these files. */
export async function initRepository(
  root: string,
  contents: Readonly<Record<string, string>>,
): Promise<void> {
  empty ??= makeEmpty();
  await cp(await empty, join(root, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(contents)) await writeFile(join(root, name), text);
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--allow-empty', '--message=first');
}

/** Cached result of `git init`, shared by all tests of a worker. */
let empty: Promise<string> | undefined;

async function makeEmpty(): Promise<string> {
  const { root } = await makeFolder();
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  await git(root, 'init', '--quiet', '--initial-branch=main');
  // Samples of hooks, which nobody reads.
  const hooks = join(root, '.git', 'hooks');
  for (const name of await readdir(hooks)) await rm(join(hooks, name));
  // A commit would start another process that looks whether there is something to tidy up.
  await git(root, 'config', 'maintenance.auto', 'false');
  return join(root, '.git');
}
