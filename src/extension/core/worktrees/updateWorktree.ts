/*
 * Brings changes from home into a worktree: the transfer in reverse. If both sides changed the same lines, conflict
 * markers are written in the worktree for the agent to resolve. Merged content becomes the base, so that only the
 * session's own changes remain to be brought home.
 */

import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { sameBytes } from '../changes/bytes.ts';
import {
  conflictSides,
  holdsConflict,
  mergeStates,
  readIfThere,
  readSavedIfThere,
  writeContent,
} from './threeWay.ts';
import type {
  TransferOutcome,
  TransferredFile,
  TransferTarget,
  WorktreeChange,
  WorktreeTransfer,
} from './worktreeTransfer.ts';

/** @param bringing writes in the worktree */
export async function updateWorktree(
  worktreeTransfer: WorktreeTransfer,
  bringing: TransferTarget,
): Promise<readonly TransferredFile[]> {
  const { home } = worktreeTransfer.worktree;
  const changed = await worktreeTransfer.listChangesIn(home, bringing.signal);
  return await worktreeTransfer.moveEach(changed, home, bringing, file =>
    joinOne(...file, worktreeTransfer, bringing),
  );
}

async function joinOne(
  file: WorktreeChange,
  path: string,
  worktreeTransfer: WorktreeTransfer,
  { into, signal }: TransferTarget,
): Promise<TransferOutcome> {
  const { worktree, ports } = worktreeTransfer;
  const place = join(worktree.path, path);
  const { base } = file;
  if (base === undefined)
    throw new LocalizedError(() => t('Git no longer has the earlier version of the file.'));
  const refusal = await worktreeTransfer.findRefusal(file, place);
  if (refusal) return refusal;
  const [mine, theirs] = [
    await readIfThere(ports.files, place),
    await readSavedIfThere(ports.files, file.path),
  ];
  const executable = (await ports.files.stat(file.path))?.executable;
  const state = { path, bytes: theirs, executable };
  if (holdsConflict(mine)) return { result: 'unresolved' };
  if (sameBytes(mine, theirs)) return { result: 'same', state };
  if (mine && !sameBytes(mine, await into.readSaved(place))) return { result: 'unsaved' };
  const joined = await mergeStates({ base, mine, theirs }, conflictSides(worktree), ports.worktrees, signal);
  if (joined.kind === 'delete') {
    await into.delete(place);
    return { result: 'deleted', state };
  }
  const bytes = joined.kind === 'conflict' ? joined.marked : joined.bytes;
  if (!bytes) return { result: 'apart' };
  await writeContent(place, mine, bytes, into);
  const isNew = executable !== undefined && executable !== (file.executable ?? false);
  if (isNew) await into.setExecutable(place, executable);
  return { result: joined.kind === 'conflict' ? 'conflict' : joined.result, state };
}
