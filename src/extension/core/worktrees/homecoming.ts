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
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { ChangedFile, VersionControl } from '../../platform/versionControl.ts';
import type { Worktrees } from '../../platform/worktrees.ts';
import { sameBytes } from '../changes/bytes.ts';
import { findProtection } from '../protectedPaths.ts';

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
  /** `same`: home had it already. The last four stay as they are. */
  readonly result:
    | 'created'
    | 'changed'
    | 'merged'
    | 'deleted'
    | 'same'
    | 'conflict'
    | 'unsaved'
    | 'protected'
    | 'failed';
  /** Why it failed. */
  readonly why?: Saying;
}

interface HomecomingPorts {
  readonly worktrees: Pick<Worktrees, 'merge' | 'readBrought' | 'markBrought'>;
  readonly versionControl: Pick<VersionControl, 'changedFiles' | 'readCommitted'>;
  /** Reads both trees; an editor's text counts. */
  readonly files: FileSystem;
}

/** Contents of a file; `null`: there is none. */
interface ThreeStates {
  readonly base: Uint8Array | null;
  readonly mine: Uint8Array | null;
  readonly theirs: Uint8Array | null;
}

/** A file that differs from `base`; absent: Git no longer has it, or it is too large to be read. */
interface WorktreeChange extends ChangedFile {
  readonly base: Uint8Array | null | undefined;
}

type Outcome = Pick<BroughtFile, 'result' | 'why'>;

export class Homecoming {
  readonly worktree: Worktree;
  private readonly ports: HomecomingPorts;

  constructor(worktree: Worktree, ports: HomecomingPorts) {
    this.worktree = worktree;
    this.ports = ports;
  }

  /** The files that would be brought. Rejects with a sentence where Git does not answer. */
  async listChanges(
    { paths, again }: HomecomingRequest,
    signal: AbortSignal,
  ): Promise<readonly WorktreeChange[]> {
    const { worktree, ports } = this;
    const since = again ? worktree.base : await ports.worktrees.readBrought(worktree, signal);
    const changed = await ports.versionControl.changedFiles(worktree.path, signal, since);
    if (!changed) throw new SpokenError(() => t('Git does not say what changed in {0}.', worktree.path));
    const wanted = changed.files.filter(file => paths?.includes(this.inTree(file)) ?? true);
    const committed = wanted.flatMap(({ committed }) => committed ?? []);
    const contents = await ports.versionControl.readCommitted(worktree.path, committed, signal);
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

  /** @param into writes at home */
  async bring(
    request: HomecomingRequest,
    into: FileSystem,
    signal: AbortSignal,
  ): Promise<readonly BroughtFile[]> {
    const { worktree, ports } = this;
    const brought: BroughtFile[] = [];
    for (const file of await this.listChanges(request, signal)) {
      signal.throwIfAborted();
      const path = this.inTree(file);
      const isNamed = request.paths !== undefined;
      brought.push({ path, ...(await this.bringOne(file, path, isNamed, into, signal)) });
    }
    const done = brought.filter(({ result }) => isDone(result)).map(({ path }) => path);
    if (done.length > 0) await ports.worktrees.markBrought(worktree, done, signal);
    return brought;
  }

  /** The states of a file in conflict, and where it lies on both sides. */
  async readConflict(
    path: string,
    signal: AbortSignal,
  ): Promise<
    Pick<ThreeStates, 'base' | 'mine'> & {
      readonly places: { readonly theirs: string; readonly mine: string };
    }
  > {
    const places = { theirs: join(this.worktree.path, path), mine: join(this.worktree.home, path) };
    const [file] = await this.listChanges({ paths: [path] }, signal);
    const base = file?.base ?? null;
    return { base, mine: await readIfThere(this.ports.files, places.mine), places };
  }

  /** The user takes care of this file. */
  async markBrought(path: string, signal: AbortSignal): Promise<void> {
    await this.ports.worktrees.markBrought(this.worktree, [path], signal);
  }

  private async bringOne(
    file: WorktreeChange,
    path: string,
    isNamed: boolean,
    into: FileSystem,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const place = join(this.worktree.home, path);
    try {
      const protection = findProtection(path, 'write');
      if (protection?.kind === 'sealed' || (protection && !isNamed)) return { result: 'protected' };
      const refusal = await this.findRefusal(file, place);
      if (refusal) return refusal;
      return await this.write(file, place, await this.readStates(file, place), into, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SpokenError) return { result: 'failed', why: () => messageOf(error) };
      throw error;
    }
  }

  /** Symbolic links stay where they are: what is behind them may lie anywhere. */
  private async findRefusal({ path, isLink }: ChangedFile, place: string): Promise<Outcome | undefined> {
    const { files } = this.ports;
    const wasLink = isLink || (await files.readLink(path)) !== undefined;
    if (wasLink || (await files.realPath(place)) !== place)
      return { result: 'failed', why: () => t('It is a symbolic link, or leads through one.') };
    if ((await files.stat(place))?.kind === 'directory')
      return { result: 'failed', why: () => t('A folder stands in its place.') };
    return undefined;
  }

  private async readStates({ path, base }: WorktreeChange, place: string): Promise<ThreeStates> {
    const { files } = this.ports;
    if (base === undefined) throw new SpokenError(() => t('Git no longer has what the file was before.'));
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
    { base, mine, theirs }: ThreeStates,
    into: FileSystem,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (sameBytes(mine, theirs)) return await this.setMode(file, place, into, 'same');
    if (mine && !sameBytes(mine, await into.readSaved(place))) return { result: 'unsaved' };
    const isOwn = sameBytes(mine, base);
    if (theirs === null) {
      if (!isOwn) return { result: 'conflict' };
      await into.delete(place);
      return { result: 'deleted' };
    }
    if (isOwn) {
      await writeContent(place, mine, theirs, into);
      return await this.setMode(file, place, into, mine === null ? 'created' : 'changed');
    }
    if (!base || !mine) return { result: 'conflict' };
    const merged = await this.ports.worktrees.merge({ base, mine, theirs }, signal);
    if (merged.kind === 'conflict') return { result: 'conflict' };
    await writeContent(place, mine, merged.bytes, into);
    return await this.setMode(file, place, into, 'merged');
  }

  private async setMode(
    file: ChangedFile,
    place: string,
    into: FileSystem,
    result: BroughtFile['result'],
  ): Promise<Outcome> {
    const executable = (await this.ports.files.stat(file.path))?.executable;
    const isChanged = executable !== undefined && executable !== (file.executable ?? false);
    if (isChanged && (await into.stat(place))?.executable !== executable)
      await into.setExecutable(place, executable);
    return { result };
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
    case 'unsaved':
    case 'protected':
    case 'failed':
      return false;
  }
}

async function readIfThere(files: FileSystem, path: string): Promise<Uint8Array | null> {
  try {
    return await files.readBytes(path);
  } catch (error) {
    if (error instanceof FileError && error.kind === 'notFound') return null;
    throw error;
  }
}

/** As text where it is one, so that editors and the review follow. */
async function writeContent(
  place: string,
  before: Uint8Array | null,
  bytes: Uint8Array,
  into: FileSystem,
): Promise<void> {
  const [old, wanted] = [before && (await into.decode(place, before)), await into.decode(place, bytes)];
  if (wanted && (before === null || old))
    await into.writeText(place, wanted.text, wanted.format, old ? old.text : null);
  else await into.writeBytes(place, bytes);
}
