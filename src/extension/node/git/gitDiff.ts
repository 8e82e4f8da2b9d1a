import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { WorkingDiff } from '../../platform/versionControl.ts';
import { resolveLinks } from '../files/realPath.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { findGit, runGit } from './runGit.ts';

const timeLimit = 10_000;
const limit = 32 * 1024 * 1024;

/**
 * Diffs with the `git` program, without external diff programs of its configuration. Clean filters still run, so use it
 * only in trusted workspaces.
 */
export class GitDiff implements WorkingDiff {
  private readonly programs: ProgramFinder;

  constructor(programs = new ProgramFinder(() => [])) {
    this.programs = programs;
  }

  async readDiff(
    folder: string,
    signal: AbortSignal,
  ): Promise<{ readonly diff: string; readonly untracked: readonly string[] } | undefined> {
    signal.throwIfAborted();
    const { programs } = this;
    const program = findGit(programs);
    if (program === undefined)
      throw new LocalizedError(() => t('Git was not found on PATH. Install Git, then reload the window.'));
    const real = await resolveLinks(folder);
    const git = (args: readonly string[]) =>
      runGit({ program, programs, folder: real, args, timeLimit, limit, signal });
    const tree = await git(['rev-parse', '--is-inside-work-tree']);
    if (tree.kind === 'failed') return undefined;
    const base = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    const commit = base.kind === 'done' ? 'HEAD' : await emptyTree(git);
    const [diff, untracked] = await Promise.all([
      git(['diff', ...diffOptions, commit, '--', '.']),
      git(['ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
    ]);
    if (diff.kind === 'failed') throw new LocalizedError(diff.say);
    if (untracked.kind === 'failed') throw new LocalizedError(untracked.say);
    return {
      diff: diff.output.toString(),
      untracked: untracked.output.toString().split('\0').filter(Boolean),
    };
  }
}

const diffOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--relative',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

type Git = (args: readonly string[]) => ReturnType<typeof runGit>;

/** Before the first commit everything is new. The id of the empty tree depends on the repository's hash function. */
async function emptyTree(git: Git): Promise<string> {
  const result = await git(['hash-object', '-t', 'tree', '--stdin']);
  if (result.kind === 'failed') throw new LocalizedError(result.say);
  return result.output.toString().trim();
}
