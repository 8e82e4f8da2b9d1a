/*
 * Answers for folders that no version control answers for, the way version control does: an index of size, time and
 * content takes the place of the commit. It is brought up to date before and after each command; a file whose size
 * and time are as they were is not read again.
 *
 *     before the command    index 1: a, b, c
 *     after it              index 2: a, B, d    =>  b is changed, c deleted, d created, since index 1
 *
 * Ignore rules and left-out folders hold. A folder with more files than the budget is answered for no longer; of a
 * file whose content is beyond the budget it is known that it changed, but not what it held.
 */

import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileReader, type FileStat } from '../../platform/fileSystem.ts';
import type { Search } from '../../platform/search.ts';
import type { ChangedFile, ChangedFiles, VersionControl } from '../../platform/versionControl.ts';
import { sameBytes } from './bytes.ts';
import { IndexedLinks } from './indexedLinks.ts';

interface IndexPorts {
  readonly versionControl: VersionControl;
  readonly search: Pick<Search, 'findFiles'>;
  readonly files: Pick<FileReader, 'realPath' | 'stat' | 'readSaved' | 'list' | 'readLink'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Names of folders that hold dependencies and builds. */
  readonly ignoredFolders: () => readonly string[];
}

export interface IndexBudget {
  /** Files of one folder. */
  readonly files: number;
  /** Bytes of content that are kept of one file, and of one folder. */
  readonly fileBytes: number;
  readonly bytes: number;
  /** Milliseconds that finding a folder's files may take. */
  readonly listing: number;
}

const usualBudget: IndexBudget = {
  files: 10_000,
  fileBytes: 1024 * 1024,
  bytes: 32 * 1024 * 1024,
  listing: 20_000,
};

/** Indexes of a folder that can still be compared with, for commands that run at the same time. */
const keptIndexes = 4;
const filesAtOnce = 32;
/** File systems round times, milliseconds: a file that is younger than this may change without a trace in its time. */
const roundedTime = 2000;
/** Begins the names of indexes, as no commit's name does. */
const mark = 'index ';

interface IndexedFile {
  /** `undefined`: the file could not be looked at. */
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt' | 'executable'> | undefined;
  /** `undefined`: the content is beyond the budget, or could not be read. */
  readonly bytes: Uint8Array | undefined;
  /** The size and time stand for the content. */
  readonly isSettled: boolean;
  /** Where a symbolic link leads; absent: it is none. */
  readonly link?: string;
}

type IndexedFiles = ReadonlyMap<string, IndexedFile>;

interface FolderState {
  /** By name, oldest first. */
  readonly indexes: Map<string, IndexedFiles>;
  readonly links: IndexedLinks;
  isBeyondBudget: boolean;
}

export class IndexedFolders implements VersionControl {
  private readonly around: IndexPorts;
  private readonly budget: IndexBudget;
  private readonly folders = new Map<string, FolderState>();
  private count = 0;

  constructor(around: IndexPorts, budget: IndexBudget = usualBudget) {
    this.around = around;
    this.budget = budget;
  }

  async changedFiles(
    folder: string,
    signal: AbortSignal,
    since?: string | null,
  ): Promise<ChangedFiles | undefined> {
    if (!since?.startsWith(mark)) {
      const changed = await this.around.versionControl.changedFiles(folder, signal, since);
      if (changed || since !== undefined) return changed;
    }
    const state = this.stateOf(folder);
    const earlier = typeof since === 'string' ? state.indexes.get(since) : undefined;
    if (state.isBeyondBudget || (typeof since === 'string' && !earlier)) return undefined;
    const present = await this.readIndex(folder, state, signal);
    if (!present) return undefined;
    const commit = this.keep(state, present, earlier && since);
    return { commit, files: earlier ? filesBetween(earlier, present, since ?? commit) : [] };
  }

  async readCommitted(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    if (!committed[0]?.startsWith(mark)) {
      return this.around.versionControl.readCommitted(folder, committed, signal);
    }
    const { indexes } = this.stateOf(folder);
    const contents = new Map<string, Uint8Array>();
    for (const name of committed) {
      const [index = '', ...path] = name.split('\n');
      const file = indexes.get(index)?.get(path.join('\n'));
      const bytes = file?.link === undefined ? file?.bytes : Buffer.from(file.link);
      if (bytes) contents.set(name, bytes);
    }
    return contents;
  }

  private stateOf(folder: string): FolderState {
    const state = this.folders.get(folder) ?? {
      indexes: new Map(),
      links: new IndexedLinks(this.around.files),
      isBeyondBudget: false,
    };
    this.folders.set(folder, state);
    return state;
  }

  /**
   * An index that differs in nothing from the newest one takes its place and its name.
   * @param used the one that is compared with: a command that runs on will ask for it again
   */
  private keep({ indexes }: FolderState, present: IndexedFiles, used?: string | null): string {
    const newest = [...indexes].at(-1);
    const isSame = newest && filesBetween(newest[1], present, newest[0]).length === 0;
    const name = isSame ? newest[0] : `${mark}${++this.count}`;
    const inUse = typeof used === 'string' && used !== name ? indexes.get(used) : undefined;
    if (inUse && typeof used === 'string') {
      indexes.delete(used);
      indexes.set(used, inUse);
    }
    indexes.delete(name);
    indexes.set(name, present);
    for (const old of [...indexes.keys()].slice(0, -keptIndexes)) indexes.delete(old);
    return name;
  }

  private async readIndex(
    folder: string,
    state: FolderState,
    signal: AbortSignal,
  ): Promise<IndexedFiles | undefined> {
    const time = this.around.clock.now();
    const paths = await this.findPaths(folder, signal);
    if (!paths || paths.length > this.budget.files) {
      state.isBeyondBudget = true;
      state.indexes.clear();
      return undefined;
    }
    const root = await this.around.files.realPath(folder);
    const links = await state.links.read(root, paths, time, signal);
    const former = [...state.indexes.values()].at(-1);
    const present = new Map<string, IndexedFile>();
    const fresh: string[] = [];
    let left = this.budget.bytes;
    await inGroups(paths, signal, async path => {
      const stat = await this.stat(path);
      const known = former?.get(path);
      if (!known?.isSettled || !isSameStat(known.stat, stat)) {
        present.set(path, { stat, bytes: undefined, isSettled: false });
        fresh.push(path);
        return;
      }
      present.set(path, known);
      left -= known.bytes?.length ?? 0;
    });
    await inGroups(fresh, signal, async path => {
      const stat = present.get(path)?.stat;
      const isKept = stat && stat.size <= this.budget.fileBytes && stat.size <= left;
      if (isKept) left -= stat.size;
      const read = isKept ? await this.read(path) : undefined;
      const known = former?.get(path)?.bytes;
      // Equal content is kept once, however many indexes hold it.
      const bytes = read && known && sameBytes(read, known) ? known : read;
      const isSettled = stat !== undefined && stat.modifiedAt < time - roundedTime;
      present.set(path, { stat, bytes, isSettled });
    });
    for (const [path, link] of links)
      present.set(path, { stat: undefined, bytes: undefined, isSettled: false, link });
    return present;
  }

  /** `undefined`: finding them takes too long, or nobody can. */
  private async findPaths(folder: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { files, search, ignoredFolders } = this.around;
    const exclude = ignoredFolders().map(name => `**/${name}/**`);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.budget.listing)]);
    try {
      const query = { folder: await files.realPath(folder), pattern: '**/*', exclude };
      return (await search.findFiles({ ...query, respectGeminiIgnore: false }, limited)).paths;
    } catch {
      // A folder that cannot be searched is not covered, which the card of the command says.
      signal.throwIfAborted();
      return undefined;
    }
  }

  private async stat(path: string): Promise<FileStat | undefined> {
    return unlessFailed(() => this.around.files.stat(path));
  }

  private async read(path: string): Promise<Uint8Array | undefined> {
    return unlessFailed(() => this.around.files.readSaved(path));
  }
}

/** A file that cannot be read is known by its name alone. */
async function unlessFailed<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

async function inGroups(
  paths: readonly string[],
  signal: AbortSignal,
  work: (path: string) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < paths.length; at += filesAtOnce) {
    signal.throwIfAborted();
    await Promise.all(paths.slice(at, at + filesAtOnce).map(work));
  }
}

/** Files that differ between two indexes; `name` is the earlier one’s. */
function filesBetween(earlier: IndexedFiles, present: IndexedFiles, name: string): readonly ChangedFile[] {
  const changed: ChangedFile[] = [];
  for (const [path, file] of present) {
    const was = earlier.get(path);
    if (!was) changed.push({ path, committed: null });
    else if (!isSameFile(was, file)) changed.push(differing(path, was, name));
  }
  for (const [path, was] of earlier) {
    if (!present.has(path)) changed.push(differing(path, was, name));
  }
  return changed;
}

function differing(path: string, { stat, link }: IndexedFile, name: string): ChangedFile {
  const isLink = link !== undefined;
  return { path, committed: `${name}\n${path}`, executable: stat?.executable, isLink };
}

function isSameFile(one: IndexedFile, other: IndexedFile): boolean {
  if (one === other) return true;
  if (one.link !== undefined || other.link !== undefined) return one.link === other.link;
  if (one.stat?.executable !== other.stat?.executable) return false;
  if (one.bytes && other.bytes) return sameBytes(one.bytes, other.bytes);
  return isSameStat(one.stat, other.stat);
}

function isSameStat(one: IndexedFile['stat'], other: IndexedFile['stat']): boolean {
  return (
    one?.size === other?.size &&
    one?.modifiedAt === other?.modifiedAt &&
    one?.executable === other?.executable
  );
}
