import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A temporary folder, real, that is gone after `dispose`. */
export async function makeFolder(): Promise<{
  readonly root: string;
  readonly dispose: () => Promise<void>;
}> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'folio-git-')));
  return { root, dispose: () => rm(root, { recursive: true, force: true }) };
}

/** Runs the real git, without the settings of whoever runs the tests. */
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
  const { stdout } = await run('git', [...args], { cwd: folder, env });
  return stdout;
}

/** A repository whose first commit holds these files. */
export async function initRepository(
  root: string,
  contents: Readonly<Record<string, string>>,
): Promise<void> {
  await git(root, 'init', '--quiet', '--initial-branch=main');
  for (const [name, text] of Object.entries(contents)) await writeFile(join(root, name), text);
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--allow-empty', '--message=first');
}
