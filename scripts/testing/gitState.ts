import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { projectRoot } from '../run.ts';

/** Returns files that differ from a commit, including untracked ones, relative to the root. */
export async function findChangedFiles(since: string): Promise<readonly string[]> {
  const [differing, untracked] = await Promise.all([
    git('diff', '--name-only', '--no-renames', since),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  return [...new Set([...differing, ...untracked])];
}

/** Returns a seed derived from the commit, so that its tests are reproducible. `npm run prove` draws others. */
export async function seedOfCommit(): Promise<number> {
  const [commit] = await git('rev-parse', 'HEAD').catch(() => []);
  return commit === undefined ? randomInt(2 ** 28) : Number.parseInt(commit.slice(0, 7), 16);
}

async function git(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: projectRoot, maxBuffer: 100_000_000 });
  return stdout.split('\n').filter(line => line !== '');
}
