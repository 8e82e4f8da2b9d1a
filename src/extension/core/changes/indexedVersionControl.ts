/*
 * Acts as version control for folders without one: an index of size, time and content replaces the commit. It is built
 * in advance (`prepare` in changeTracker.ts) and updated before and after each command: it lists names, stats known files
 * concurrently, and rereads only files with a new size or time. A file watcher would save scans but may lose events in
 * bursts, and no change may be missed.
 *
 *     before the command    index 1: a, b, c
 *     after it              index 2: a, B, d    =>  b is changed, c deleted, d created, since index 1
 *
 * Ignore rules and excluded folders apply. A folder with more files than the budget is no longer covered. For a file
 * whose content exceeds the budget, changes are detected but the earlier content is unknown.
 */

import type { Clock } from '../../platform/clock.ts';
import type { BulkFiles, CompressedContent, FileReader, FileStat } from '../../platform/fileSystem.ts';
import type { Search } from '../../platform/search.ts';
import type { ChangedFile, ChangedFiles, VersionControl } from '../../platform/versionControl.ts';
import { SymlinkIndex } from './symlinkIndex.ts';

interface IndexPorts {
  readonly versionControl: VersionControl;
  readonly search: Pick<Search, 'findFiles'>;
  readonly files: Pick<FileReader, 'realPath' | 'list' | 'readLink'>;
  readonly many: BulkFiles;
  readonly clock: Pick<Clock, 'now'>;
  /** Names of dependency and build folders. */
  readonly ignoredFolders: () => readonly string[];
}

export interface IndexLimits {
  /** Files per folder. */
  readonly files: number;
  /** Bytes of content stored per file. */
  readonly fileBytes: number;
  /** Bytes of memory for the contents of one folder. */
  readonly bytes: number;
  /** Milliseconds for listing a folder's files. */
  readonly listing: number;
}

const usualBudget: IndexLimits = {
  files: 50_000,
  fileBytes: 1024 * 1024,
  bytes: 48 * 1024 * 1024,
  listing: 20_000,
};

/** Indexes retained per folder, for concurrent commands. */
const keptIndexes = 4;
/** Files read and compressed concurrently. */
const filesAtOnce = 64;
/** Milliseconds. File systems round timestamps, so a younger file may change without a new time. */
const roundedTime = 2000;
/** Prefix of index names, which no commit has. */
const mark = 'index ';

interface IndexedFile {
  /** `undefined`: `stat` failed. */
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt' | 'executable'> | undefined;
  /** `undefined`: exceeds the budget, or could not be read. */
  readonly content: CompressedContent | undefined;
  /** Size and time are reliable signs of a change. */
  readonly isSettled: boolean;
  /** Target of a symbolic link; absent: it is none. */
  readonly link?: string;
}

type IndexedFiles = ReadonlyMap<string, IndexedFile>;

interface FolderState {
  /** By name, oldest first. */
  readonly indexes: Map<string, IndexedFiles>;
  readonly links: SymlinkIndex;
  isBeyondBudget: boolean;
  /** The latest update; updates run one after another. */
  reading: Promise<unknown>;
}

export class IndexedVersionControl implements VersionControl {
  private readonly around: IndexPorts;
  private readonly budget: IndexLimits;
  private readonly folders = new Map<string, FolderState>();
  private count = 0;

  constructor(around: IndexPorts, budget: IndexLimits = usualBudget) {
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
    const reading = state.reading.then(() => this.readIndex(folder, state, signal));
    // A failure is reported to the caller; the next update runs nevertheless.
    state.reading = reading.catch(() => undefined);
    const present = await reading;
    if (!present) return undefined;
    const commit = this.keep(state, present, earlier && since);
    return { commit, isIndex: true, files: earlier ? filesBetween(earlier, present, since ?? commit) : [] };
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
      const bytes = file?.link === undefined ? file?.content?.read() : Buffer.from(file.link);
      if (bytes) contents.set(name, bytes);
    }
    return contents;
  }

  private stateOf(folder: string): FolderState {
    const state = this.folders.get(folder) ?? {
      indexes: new Map(),
      links: new SymlinkIndex(this.around.files, this.around.many),
      isBeyondBudget: false,
      reading: Promise.resolve(),
    };
    this.folders.set(folder, state);
    return state;
  }

  /**
   * Stores an index, unless it equals the newest, whose name is then reused.
   * @param used the index compared with, which a running command will need again
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
    const { files, many, clock } = this.around;
    if (state.isBeyondBudget) return undefined;
    const time = clock.now();
    const root = await files.realPath(folder);
    const former = [...state.indexes.values()].at(-1) ?? new Map<string, IndexedFile>();
    const [paths, known] = await Promise.all([
      this.findPaths(root, signal),
      many.statAll([...former.keys()], signal),
    ]);
    if (!paths || paths.length > this.budget.files) {
      state.isBeyondBudget = true;
      state.indexes.clear();
      return undefined;
    }
    const links = await state.links.read(root, paths, time, signal);
    const added = await many.statAll(
      paths.filter(path => !known.has(path)),
      signal,
    );
    const present = new Map<string, IndexedFile>();
    const fresh: string[] = [];
    for (const path of paths) {
      const stat = known.get(path) ?? added.get(path);
      const before = former.get(path);
      if (before?.isSettled && isSameStat(before.stat, stat)) present.set(path, before);
      else {
        const isSettled = stat !== undefined && stat.modifiedAt < time - roundedTime;
        present.set(path, { stat, content: undefined, isSettled });
        fresh.push(path);
      }
    }
    await this.readContents(present, fresh, former, signal);
    for (const [path, link] of links) {
      const before = former.get(path);
      const found = { stat: undefined, content: undefined, isSettled: false, link };
      present.set(path, before?.link === link ? before : found);
    }
    const isNew = ([path, file]: readonly [string, IndexedFile]) => former.get(path) !== file;
    return present.size === former.size && ![...present].some(isNew) ? former : present;
  }

  /** Reads contents within the budget. Equal content is stored once for all indexes. */
  private async readContents(
    present: Map<string, IndexedFile>,
    fresh: readonly string[],
    former: IndexedFiles,
    signal: AbortSignal,
  ): Promise<void> {
    const { many } = this.around;
    const { fileBytes, bytes } = this.budget;
    let left = bytes;
    for (const { content } of present.values()) left -= content?.size ?? 0;
    for (let at = 0; at < fresh.length && left > 0; at += filesAtOnce) {
      const group = fresh.slice(at, at + filesAtOnce);
      const contents = await many.readAll(group, Math.min(fileBytes, left), signal);
      const kept = await many.compressAll([...contents.values()]);
      for (const [path, content] of pairs([...contents.keys()], kept)) {
        const before = former.get(path)?.content;
        const same = before?.hash === content.hash ? before : content;
        present.set(path, { ...present.get(path)!, content: same });
        left -= same.size;
      }
    }
  }

  /** Returns `undefined` if listing takes too long or fails. */
  private async findPaths(folder: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { search, ignoredFolders } = this.around;
    const exclude = ignoredFolders().map(name => `**/${name}/**`);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.budget.listing)]);
    try {
      const query = { folder, pattern: '**/*', exclude };
      return (await search.findFiles({ ...query, respectGeminiIgnore: false }, limited)).paths;
    } catch {
      // A folder that cannot be searched is not covered, as the command's card says.
      signal.throwIfAborted();
      return undefined;
    }
  }
}

function pairs<A, B>(ones: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] {
  return ones.map((one, at) => [one, others[at]!]);
}

/** Returns files that differ between two indexes. `name` is that of the earlier one. */
function filesBetween(earlier: IndexedFiles, present: IndexedFiles, name: string): readonly ChangedFile[] {
  const changed: ChangedFile[] = [];
  if (earlier === present) return changed;
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
  if (one.content && other.content) return one.content.hash === other.content.hash;
  return isSameStat(one.stat, other.stat);
}

function isSameStat(one: IndexedFile['stat'], other: IndexedFile['stat']): boolean {
  return (
    one?.size === other?.size &&
    one?.modifiedAt === other?.modifiedAt &&
    one?.executable === other?.executable
  );
}
