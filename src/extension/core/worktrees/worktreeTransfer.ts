/*
 * Merges the changes of a worktree into its home, the working tree that it was created from. Each file has three
 * states:
 *
 *     base    as last brought home, or when the worktree was created
 *     theirs  the session's file in the worktree
 *     mine    the file at home
 *
 * If home has not changed since `base`, `theirs` is taken; if both changed, the texts are merged. Conflicts, files with
 * unsaved changes in an editor, and protected files that nobody named are skipped and reported.
 */

import { join, relative, sep } from 'node:path';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { Worktree } from '../../../protocol/worktree.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ChangedFile, VersionControl } from '../../platform/versionControl.ts';
import type { FileState, Worktrees } from '../../platform/worktrees.ts';
import { sameBytes } from '../changes/bytes.ts';
import { findProtection } from '../protectedPaths.ts';
import {
  conflictSides,
  holdsConflict,
  mergeStates,
  readIfThere,
  type ThreeStates,
  writeContent,
} from './threeWay.ts';

export interface TransferRequest {
  /** Only these files, relative to the worktree, with `/`, including protected ones. Absent: all. */
  readonly paths?: readonly string[];
  /** Includes files brought home before, for example after an undo. */
  readonly again?: boolean;
}

/** Result for a file at home. */
export interface TransferredFile {
  /** Relative to the root of home, with `/`. */
  readonly path: string;
  /**
   * `same`: home already had the content. The last six leave the file unchanged, except that conflicts are marked in a
   * worktree.
   */
  readonly result:
    | 'created'
    | 'changed'
    | 'merged'
    | 'deleted'
    | 'same'
    | 'conflict'
    | 'apart'
    | 'unresolved'
    | 'unsaved'
    | 'protected'
    | 'failed';
  readonly why?: LocalizedMessage;
}

interface HomecomingPorts {
  readonly worktrees: Pick<Worktrees, 'merge' | 'readTransferBase' | 'markTransferred' | 'resetTransferBase'>;
  readonly versionControl: Pick<VersionControl, 'changedFiles' | 'readCommitted'>;
  /** Reads both trees, with unsaved text of editors. */
  readonly files: FileSystem;
}

/** A file that differs from `base`; absent: Git no longer has it, or it is too large. */
export interface WorktreeChange extends ChangedFile {
  readonly base: Uint8Array | null | undefined;
}

interface ChangesSince {
  readonly since?: string | undefined;
  readonly isWanted?: (file: ChangedFile) => boolean;
}

/** `state`: the session's content of a finished file. */
export type TransferOutcome = Pick<TransferredFile, 'result' | 'why'> & { readonly state?: FileState };

export interface TransferTarget {
  /** Writes in the target tree. */
  readonly into: FileSystem;
  /** Called with the result of `readTransferBase` before it changes. */
  readonly replacing: (brought: string) => void;
  readonly signal: AbortSignal;
}

export class WorktreeTransfer {
  readonly worktree: Worktree;
  readonly ports: HomecomingPorts;

  constructor(worktree: Worktree, ports: HomecomingPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** Lists the files to bring. Rejects with a sentence if Git fails. */
  async listChanges(
    { paths, again }: TransferRequest,
    signal: AbortSignal,
  ): Promise<readonly WorktreeChange[]> {
    const { path } = this.worktree;
    const isWanted = (file: ChangedFile) => paths?.includes(this.inTree(file)) ?? true;
    return await this.listChangesIn(path, signal, {
      since: again ? this.worktree.base : undefined,
      isWanted,
    });
  }

  /** @param root of the worktree or home. @param since absent: what was last brought home */
  async listChangesIn(
    root: string,
    signal: AbortSignal,
    { since, isWanted = () => true }: ChangesSince = {},
  ): Promise<readonly WorktreeChange[]> {
    const { worktrees, versionControl } = this.ports;
    const from = since ?? (await worktrees.readTransferBase(this.worktree, signal));
    const changed = await versionControl.changedFiles(root, signal, from);
    if (!changed) throw new LocalizedError(() => t('Git does not say what changed in {0}.', root));
    const wanted = changed.files.filter(isWanted);
    const committed = wanted.flatMap(({ committed }) => committed ?? []);
    const contents = await versionControl.readCommitted(root, committed, signal);
    const differing: WorktreeChange[] = [];
    for (const file of wanted) {
      const base = file.committed === null ? null : contents.get(file.committed);
      const change = { ...file, base };
      if (await this.differs(change)) differing.push(change);
    }
    return differing;
  }

  /** Path for the user, relative to the root, with `/`. */
  inTree({ path }: Pick<ChangedFile, 'path'>): string {
    return relative(this.worktree.path, path).split(sep).join('/');
  }

  async bring(request: TransferRequest, bringing: TransferTarget): Promise<readonly TransferredFile[]> {
    const changed = await this.listChanges(request, bringing.signal);
    const isNamed = request.paths !== undefined;
    const { path } = this.worktree;
    return await this.moveEach(changed, path, bringing, file => this.bringOne(...file, isNamed, bringing));
  }

  /**
   * Moves these files one after another, then records those that were moved as the new base.
   * @param root contains the files
   * @param move receives a file and its path below `root`, with `/`
   */
  async moveEach(
    files: readonly WorktreeChange[],
    root: string,
    { replacing, signal }: TransferTarget,
    move: (file: readonly [WorktreeChange, path: string]) => Promise<TransferOutcome>,
  ): Promise<readonly TransferredFile[]> {
    const moved: TransferredFile[] = [];
    const done: FileState[] = [];
    for (const file of files) {
      signal.throwIfAborted();
      const path = relative(root, file.path).split(sep).join('/');
      const { state, ...outcome } = await orFailed(move([file, path]), signal);
      moved.push({ path, ...outcome });
      if (state) done.push(state);
    }
    await this.mark(done, replacing, signal);
    return moved;
  }

  /** Records these states as the new base. */
  async mark(
    files: readonly FileState[],
    replacing: TransferTarget['replacing'],
    signal: AbortSignal,
  ): Promise<void> {
    if (files.length === 0) return;
    const { worktree, ports } = this;
    replacing(await ports.worktrees.readTransferBase(worktree, signal));
    await ports.worktrees.markTransferred(worktree, files, signal);
  }

  /** Restores the base after a rewind, so that later changes still have to be brought home. */
  async takeBack(brought: string): Promise<void> {
    await this.ports.worktrees.resetTransferBase(this.worktree, brought, new AbortController().signal);
  }

  /** Reads the states of a file in conflict, and its path at home. */
  async readConflict(
    path: string,
    signal: AbortSignal,
  ): Promise<Pick<ThreeStates, 'base' | 'mine'> & { readonly theirs: FileState; readonly place: string }> {
    const { files } = this.ports;
    const [there, place] = [join(this.worktree.path, path), join(this.worktree.home, path)];
    const [file] = await this.listChanges({ paths: [path] }, signal);
    const [mine, bytes] = [await readIfThere(files, place), await readIfThere(files, there)];
    const { executable } = (await files.stat(there)) ?? {};
    return { base: file?.base ?? null, mine, theirs: { path, bytes, executable }, place };
  }

  private async bringOne(
    file: WorktreeChange,
    path: string,
    isNamed: boolean,
    { into, signal }: TransferTarget,
  ): Promise<TransferOutcome> {
    const place = join(this.worktree.home, path);
    const protection = findProtection(path, 'write');
    if (protection?.kind === 'sealed' || (protection && !isNamed)) return { result: 'protected' };
    const refusal = await this.findRefusal(file, place);
    if (refusal) return refusal;
    return await this.write(file, place, await this.readStates(file, place), into, signal);
  }

  /** Skips symbolic links, whose targets may be anywhere. */
  async findRefusal({ path, isLink }: ChangedFile, place: string): Promise<TransferOutcome | undefined> {
    const { files } = this.ports;
    const wasLink = isLink || (await files.readLink(path)) !== undefined;
    if (wasLink || (await files.realPath(place)) !== place)
      return { result: 'failed', why: () => t('It is a symbolic link, or leads through one.') };
    if ((await files.stat(place))?.kind === 'directory')
      return { result: 'failed', why: () => t('There is a folder with the same name.') };
    return undefined;
  }

  private async readStates({ path, base }: WorktreeChange, place: string): Promise<ThreeStates> {
    const { files } = this.ports;
    if (base === undefined)
      throw new LocalizedError(() => t('Git no longer has the earlier version of the file.'));
    return { base, mine: await readIfThere(files, place), theirs: await readIfThere(files, path) };
  }

  /** Git also lists committed files that no longer differ from an older commit. */
  private async differs({ path, base, isLink, executable: was }: WorktreeChange): Promise<boolean> {
    const { files } = this.ports;
    if (base === undefined || isLink || (await files.readLink(path)) !== undefined) return true;
    const stat = await files.stat(path);
    if (stat?.kind === 'directory') return false;
    const is = stat?.executable;
    if (is !== undefined && was !== undefined && is !== was) return true;
    return !sameBytes(base, await readIfThere(files, path));
  }

  private async write(
    file: ChangedFile,
    place: string,
    states: ThreeStates,
    into: FileSystem,
    signal: AbortSignal,
  ): Promise<TransferOutcome> {
    const { mine, theirs } = states;
    const { worktrees } = this.ports;
    if (holdsConflict(theirs)) return { result: 'unresolved' };
    if (sameBytes(mine, theirs)) return await this.finish(file, place, theirs, into, 'same');
    if (mine && !sameBytes(mine, await into.readSaved(place))) return { result: 'unsaved' };
    const joined = await mergeStates(states, conflictSides(this.worktree), worktrees, signal);
    if (joined.kind === 'conflict') return { result: 'conflict' };
    if (joined.kind === 'delete') {
      await into.delete(place);
      return await this.finish(file, place, theirs, into, 'deleted');
    }
    await writeContent(place, mine, joined.bytes, into);
    return await this.finish(file, place, theirs, into, joined.result);
  }

  private async finish(
    file: ChangedFile,
    place: string,
    theirs: Uint8Array | null,
    into: FileSystem,
    result: TransferredFile['result'],
  ): Promise<TransferOutcome> {
    const executable = (await this.ports.files.stat(file.path))?.executable;
    const isChanged = executable !== undefined && executable !== (file.executable ?? false);
    if (isChanged && theirs && (await into.stat(place))?.executable !== executable)
      await into.setExecutable(place, executable);
    return { result, state: { path: this.inTree(file), bytes: theirs, executable } };
  }
}

/** Reports a failure with one file and continues with the others. */
async function orFailed(moving: Promise<TransferOutcome>, signal: AbortSignal): Promise<TransferOutcome> {
  try {
    return await moving;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LocalizedError) return { result: 'failed', why: () => messageOf(error) };
    throw error;
  }
}

/** True if the file at home has the session's content. */
export function isTransferred(result: TransferredFile['result']): boolean {
  switch (result) {
    case 'created':
    case 'changed':
    case 'merged':
    case 'deleted':
    case 'same':
      return true;
    case 'conflict':
    case 'apart':
    case 'unresolved':
    case 'unsaved':
    case 'protected':
    case 'failed':
      return false;
  }
}
