/*
 * Creates a branch from a worktree's work. Each commit is a state of the files, so the branch can be bisected:
 *
 *     the user's commit ── uncommitted changes ── chapter ── chapter ── … the last one has the current files
 *
 * Unrecorded changes, for example by a program outside of the session, become part of the last commit. Commits made in
 * the worktree are kept, and uncommitted changes follow them. An existing branch gets the missing states.
 */

import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { BranchRequest, CommitRequest, UnbranchedWork, Worktree } from '../../platform/worktrees.ts';
import type { GitObjects } from './gitObjects.ts';

/** Name of the committer of Folio's own commits, which only preserve states. */
export const committerArgs: readonly string[] = ['-c', 'user.name=Folio', '-c', 'user.email=folio@localhost'];
/** Subject of a commit that preserves the user's uncommitted changes. */
export const uncommittedSubject = 'uncommitted';

interface Step {
  readonly tree: string;
  readonly message: string;
}

/** An existing branch. */
interface Tip {
  readonly name: string;
  readonly commit: string;
  /** The last commit made from this worktree. */
  readonly made: string | undefined;
}

/** Rejects if the branch has states that the worktree never had, or lacks commits of the worktree. */
export async function commitBranch(
  objects: GitObjects,
  worktree: Worktree,
  wanted: BranchRequest,
  tip: Tip | undefined,
  signal: AbortSignal,
): Promise<{ readonly commit: string; readonly count: number }> {
  const { path, base } = worktree;
  const { commits, message } = wanted;
  const head = await objects.findCommit(path, 'HEAD', signal);
  const start = head ?? base;
  const isBegun = start === base && (await isUncommitted(objects, worktree, signal));
  const before = await objects.treeOf(path, start, signal);
  const recorded = start === base ? await stepsOf(objects, path, before, commits, signal) : [];
  const end = { tree: await objects.treeOfFiles(path, signal), message };
  const steps = endWith(recorded, before, end);
  let parent: string | undefined = isBegun ? await objects.findCommit(path, `${base}^`, signal) : start;
  let all = isBegun ? [{ tree: before, message: wanted.beginning }, ...steps] : steps;
  if (tip && (start === base || (await objects.isAncestor(path, start, tip.commit, signal)))) {
    all = await missingSteps(objects, path, { before, all, end }, tip, signal);
    parent = tip.commit;
  } else if (tip && !(await objects.isAncestor(path, tip.commit, start, signal))) throw hasOtherWork(tip);
  for (const step of all) parent = await objects.commitTree(path, { ...step, parent }, signal);
  return { commit: parent ?? start, count: all.length };
}

/** The steps after the one with which the branch ends. */
async function missingSteps(
  objects: GitObjects,
  path: string,
  { before, all, end }: { readonly before: string; readonly all: readonly Step[]; readonly end: Step },
  tip: Tip,
  signal: AbortSignal,
): Promise<Step[]> {
  const tree = await objects.treeOf(path, tip.commit, signal);
  const at = all.findLastIndex(step => step.tree === tree);
  if (at >= 0) return all.slice(at + 1);
  if (tree === before) return [...all];
  // Unrecorded changes were in its last commit, which Git may have deleted since.
  const made = tip.made && (await objects.findCommit(path, tip.made, signal));
  if (made && tree === (await objects.treeOf(path, made, signal)))
    return [{ ...(all.at(-1) ?? end), tree: end.tree }];
  throw hasOtherWork(tip);
}

function hasOtherWork({ name }: Tip): LocalizedError {
  return new LocalizedError(() =>
    t('{0} has work that this worktree does not have. Choose another name for the branch.', name),
  );
}

async function isUncommitted(
  objects: GitObjects,
  { path, base }: Worktree,
  signal: AbortSignal,
): Promise<boolean> {
  const said = await objects.read(path, ['log', '-1', '--format=%cn %s', base, '--'], signal);
  return said === `Folio ${uncommittedSubject}`;
}

async function stepsOf(
  objects: GitObjects,
  path: string,
  start: string,
  commits: readonly CommitRequest[],
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const ignored = await findIgnored(objects, path, commits, signal);
  const steps: Step[] = [];
  let before = start;
  for (const { message, files } of commits) {
    const own = files.filter(file => !ignored.has(file.path));
    if (own.length === 0) continue;
    const tree = await objects.treeWith(path, before, own, signal);
    if (tree !== before) steps.push({ tree, message });
    before = tree;
  }
  return steps;
}

/** Replaces the last step's tree by the final one. Drops the step if nothing of it is left. */
function endWith(steps: readonly Step[], before: string, end: Step): readonly Step[] {
  const last = steps.at(-1);
  if (!last) return end.tree === before ? [] : [end];
  const earlier = steps.slice(0, -1);
  const isNothing = end.tree === (earlier.at(-1)?.tree ?? before);
  return isNothing ? earlier : [...earlier, { ...last, tree: end.tree }];
}

async function findIgnored(
  objects: GitObjects,
  path: string,
  commits: readonly CommitRequest[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = new Set(commits.flatMap(({ files }) => files.map(file => file.path)));
  if (paths.size === 0) return new Set();
  const input = [...paths].map(each => `${each}\0`).join('');
  const ignored = await objects.ask(path, ['check-ignore', '-z', '--stdin'], signal, { input });
  return new Set(ignored?.toString().split('\0').filter(Boolean));
}

/** @param begun a commit that the worktree started from, or one made of it */
export async function findUnbranchedWork(
  objects: GitObjects,
  { path }: Pick<Worktree, 'path'>,
  begun: string,
  signal: AbortSignal,
): Promise<UnbranchedWork> {
  const tree = await objects.treeOfFiles(path, signal);
  const heads = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const trees = await objects.read(path, ['for-each-ref', '--format=%(tree)', ...heads], signal);
  const own = ['log', '--format=%s', 'HEAD', '--not', begun, '--branches', '--remotes', '--tags', '--'];
  const subjects = (await objects.findCommit(path, 'HEAD', signal))
    ? await objects.read(path, own, signal)
    : '';
  return { isOnBranch: trees.split('\n').includes(tree), commits: subjects.split('\n').filter(Boolean) };
}
