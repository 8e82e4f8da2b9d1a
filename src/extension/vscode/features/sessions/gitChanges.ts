/* Reads what a commit or a pull request holds. Loaded for a draft. */

import { workspace } from 'vscode';
import { type GitRepository, untrackedFiles } from './gitRepository.ts';

const maxCommits = 30;
/** Characters. The rest would be cut anyway. */
const enoughDiff = 200_000;

/** Returns the diff of the next commit: the staged changes, else all. */
export async function readCommitDiff(repository: GitRepository): Promise<string> {
  await repository.status();
  const { state } = repository;
  if (state.indexChanges.length > 0) return repository.diff(true);
  return [await repository.diff(false), ...newFiles(repository)].join('\n').trim();
}

/** Returns the absolute paths of files in the next commit. */
export function filesOfCommit({ state }: GitRepository): ReadonlySet<string> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  const changes = indexChanges.length > 0 ? indexChanges : [...workingTreeChanges, ...untrackedChanges];
  return new Set(changes.map(({ uri }) => uri.fsPath));
}

/** Returns the changes of a branch against its base, including uncommitted ones. */
export async function readBranchChanges(
  repository: GitRepository,
): Promise<{ readonly diff: string; readonly commits: readonly string[] }> {
  await repository.status();
  const open = [await repository.diff(true), await repository.diff(false), ...newFiles(repository)];
  const since = await findMergeBase(repository);
  if (since === undefined) return { diff: open.join('\n').trim(), commits: [] };
  const [commits, committed] = await Promise.all([
    repository.log({ range: `${since}..HEAD`, maxEntries: maxCommits }),
    readCommitted(repository, since),
  ]);
  return {
    diff: [committed, ...open].join('\n').trim(),
    commits: commits.map(({ message }) => message.trim()),
  };
}

async function findMergeBase(repository: GitRepository): Promise<string | undefined> {
  const branch = repository.state.HEAD?.name;
  if (branch === undefined) return undefined;
  try {
    const base = await repository.getBranchBase?.(branch);
    if (!base?.name) return undefined;
    const name = base.remote ? `${base.remote}/${base.name}` : base.name;
    return await repository.getMergeBase?.(name, 'HEAD');
  } catch {
    // A branch without base, or a repository without commits: only uncommitted changes exist.
    return undefined;
  }
}

async function readCommitted(repository: GitRepository, since: string): Promise<string> {
  const diffs: string[] = [];
  let length = 0;
  for (const { uri } of await repository.diffBetween(since, 'HEAD')) {
    if (length > enoughDiff) break;
    const diff = await repository.diffBetween(since, 'HEAD', uri.fsPath);
    diffs.push(diff);
    length += diff.length;
  }
  return diffs.join('\n');
}

/** Lists untracked files, for which Git has no diff. */
function newFiles(repository: GitRepository): string[] {
  const paths = [...untrackedFiles(repository)].map(path => workspace.asRelativePath(path, false));
  return paths.map(path => `New file, not tracked yet: ${path}`);
}
