/*
 * Brings the changes of a worktree home, into the working tree that it was made from. Each file has three states:
 *
 *     base    as it was when it was brought home last, or when the worktree began
 *     theirs  as the session left it in the worktree
 *     mine    as it stands at home
 *
 * Where home did not change since `base`, `theirs` is taken; where both changed, the texts are merged. A conflict, a file
 * that an editor holds unsaved, and a protected file that nobody named stay as they are, and are named.
 */

import { join, relative, sep } from 'node:path';
import { type Saying, t } from '../../../protocol/language.ts';
import type { Worktree } from '../../../protocol/worktree.ts';
import { messageOf, SpokenError } from '../../base/errors.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { ChangedFile, VersionControl } from '../../platform/versionControl.ts';
import type { FileState, Worktrees } from '../../platform/worktrees.ts';
import { sameBytes } from '../changes/bytes.ts';
import { findProtection } from '../protectedPaths.ts';
import {
  holdsConflict,
  joinStates,
  readIfThere,
  sidesIn,
  type ThreeStates,
  writeContent,
} from './threeWay.ts';

export interface HomecomingRequest {
  /** Relative to the worktree, with `/`: these files alone, and protected ones among them, too. Absent: all. */
  readonly paths?: readonly string[];
  /** Also what was brought before: after an undo, say. */
  readonly again?: boolean;
}

/** The state that a file at home was left in. */
export interface BroughtFile {
  /** Relative to the root of home, with `/`. */
  readonly path: string;
  /** `same`: home had it already. The last six stay as they are, but a conflict in a worktree is marked there. */
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
  /** Why it failed. */
  readonly why?: Saying;
}

interface HomecomingPorts {
  readonly worktrees: Pick<Worktrees, 'merge' | 'readBrought' | 'markBrought' | 'takeBack'>;
  readonly versionControl: Pick<VersionControl, 'changedFiles' | 'readCommitted'>;
  /** Reads both trees; an editor's text counts. */
  readonly files: FileSystem;
}

/** A file that differs from `base`; absent: Git no longer has it, or it is too large to be read. */
export interface WorktreeChange extends ChangedFile {
  readonly base: Uint8Array | null | undefined;
}

interface ChangesSince {
  readonly since?: string | undefined;
  readonly isWanted?: (file: ChangedFile) => boolean;
}

/** `state`: what the session has of a file that is done. */
export type Outcome = Pick<BroughtFile, 'result' | 'why'> & { readonly state?: FileState };

export interface Bringing {
  /** Writes where the changes come to. */
  readonly into: FileSystem;
  /** Hears what `readBrought` gives until now, before it changes. */
  readonly replacing: (brought: string) => void;
  readonly signal: AbortSignal;
}

export class Homecoming {
  readonly worktree: Worktree;
  readonly ports: HomecomingPorts;

  constructor(worktree: Worktree, ports: HomecomingPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** The files that would be brought. Rejects with a sentence where Git does not answer. */
  async listChanges(
    { paths, again }: HomecomingRequest,
    signal: AbortSignal,
  ): Promise<readonly WorktreeChange[]> {
    const { path } = this.worktree;
    const isWanted = (file: ChangedFile) => paths?.includes(this.inTree(file)) ?? true;
    return await this.listChangesIn(path, signal, {
      since: again ? this.worktree.base : undefined,
      isWanted,
    });
  }

  /** @param root the worktree's, or that of home. @param since absent: what was brought home last */
  async listChangesIn(
    root: string,
    signal: AbortSignal,
    { since, isWanted = () => true }: ChangesSince = {},
  ): Promise<readonly WorktreeChange[]> {
    const { worktrees, versionControl } = this.ports;
    const from = since ?? (await worktrees.readBrought(this.worktree, signal));
    const changed = await versionControl.changedFiles(root, signal, from);
    if (!changed) throw new SpokenError(() => t('Git does not say what changed in {0}.', root));
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

  /** As the user sees it: relative to the root, with `/`. */
  inTree({ path }: Pick<ChangedFile, 'path'>): string {
    return relative(this.worktree.path, path).split(sep).join('/');
  }

  async bring(request: HomecomingRequest, bringing: Bringing): Promise<readonly BroughtFile[]> {
    const changed = await this.listChanges(request, bringing.signal);
    const isNamed = request.paths !== undefined;
    const { path } = this.worktree;
    return await this.moveEach(changed, path, bringing, file => this.bringOne(...file, isNamed, bringing));
  }

  /** @param root the folder that the files lie in. @param move gets a file and its path in that folder, with `/` */
  async moveEach(
    files: readonly WorktreeChange[],
    root: string,
    { replacing, signal }: Bringing,
    move: (file: readonly [WorktreeChange, path: string]) => Promise<Outcome>,
  ): Promise<readonly BroughtFile[]> {
    const moved: BroughtFile[] = [];
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

  /** These files differ from now on from what is given here, and from nothing older. */
  async mark(
    files: readonly FileState[],
    replacing: Bringing['replacing'],
    signal: AbortSignal,
  ): Promise<void> {
    if (files.length === 0) return;
    const { worktree, ports } = this;
    replacing(await ports.worktrees.readBrought(worktree, signal));
    await ports.worktrees.markBrought(worktree, files, signal);
  }

  /** After a rewind: what was brought since is still to be brought. */
  async takeBack(brought: string): Promise<void> {
    await this.ports.worktrees.takeBack(this.worktree, brought, new AbortController().signal);
  }

  /** The states of a file in conflict, and where it lies at home. */
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
    { into, signal }: Bringing,
  ): Promise<Outcome> {
    const place = join(this.worktree.home, path);
    const protection = findProtection(path, 'write');
    if (protection?.kind === 'sealed' || (protection && !isNamed)) return { result: 'protected' };
    const refusal = await this.findRefusal(file, place);
    if (refusal) return refusal;
    return await this.write(file, place, await this.readStates(file, place), into, signal);
  }

  /** Symbolic links stay where they are: what is behind them may lie anywhere. */
  async findRefusal({ path, isLink }: ChangedFile, place: string): Promise<Outcome | undefined> {
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
      throw new SpokenError(() => t('Git no longer has the earlier version of the file.'));
    return { base, mine: await readIfThere(files, place), theirs: await readIfThere(files, path) };
  }

  /** Git also names files that were committed in the worktree and no longer differ from an older commit. */
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
  ): Promise<Outcome> {
    const { mine, theirs } = states;
    const { worktrees } = this.ports;
    if (holdsConflict(theirs)) return { result: 'unresolved' };
    if (sameBytes(mine, theirs)) return await this.finish(file, place, theirs, into, 'same');
    if (mine && !sameBytes(mine, await into.readSaved(place))) return { result: 'unsaved' };
    const joined = await joinStates(states, sidesIn(this.worktree), worktrees, signal);
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
    result: BroughtFile['result'],
  ): Promise<Outcome> {
    const executable = (await this.ports.files.stat(file.path))?.executable;
    const isChanged = executable !== undefined && executable !== (file.executable ?? false);
    if (isChanged && theirs && (await into.stat(place))?.executable !== executable)
      await into.setExecutable(place, executable);
    return { result, state: { path: this.inTree(file), bytes: theirs, executable } };
  }
}

/** A problem with one file is named, and the others are moved all the same. */
async function orFailed(moving: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  try {
    return await moving;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SpokenError) return { result: 'failed', why: () => messageOf(error) };
    throw error;
  }
}

/** At home the file is as the session wants it. */
export function isDone(result: BroughtFile['result']): boolean {
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
