/*
 * What a command changed, or a tool of a server. Nobody can say that of every file on a disk; it can be said of files
 * under version control, because their earlier content is committed, and of files that this session has written or
 * that differ from what is committed, because they are looked at before. What else a command did is not covered, and
 * the card says so.
 *
 *     before the command         after it               earlier content
 *     listed or written by us    its bytes differ       the bytes that were read before
 *     not listed: as committed   listed now, or         what the commit of then holds
 *                                committed otherwise
 */

import type { FileCounts } from '../../../protocol/events.ts';
import { plural } from '../../base/text.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import { FileError, type FileStat, type FileSystem } from '../../platform/fileSystem.ts';
import type { ChangedFile, VersionControl } from '../../platform/versionControl.ts';
import { countLines, type FileBytes, sameBytes } from './bytes.ts';
import { type Checkpoints, keptFileLimit } from './checkpoints.ts';
import type { WriterFiles } from './writerFiles.ts';

export interface CommandSurroundings {
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly clock: Pick<Clock, 'now'>;
  readonly checkpoints: Pick<Checkpoints, 'paths' | 'count' | 'leftSince' | 'inTurn'>;
  /** Takes what is found, in the command's name. */
  readonly writing: Pick<WriterFiles, 'found'>;
  readonly show: (path: string) => Promise<string>;
  /** The command is known to only read: that it is not seen where it runs is no gap then. */
  readonly reads?: boolean;
}

export interface CommandChanges {
  readonly touched: readonly FileCounts[];
  /** What a rewind will not put back, one sentence. */
  readonly uncovered?: string;
}

/** Bytes of uncommitted files that are kept before one command at the most; more is left uncovered. */
const keptBytesLimit = 20 * 1024 * 1024;
/** Files whose changes are told one by one. */
const toldFiles = 200;
/** File systems round times, milliseconds. */
const roundedTime = 2000;

/** Call before a command; what it returns is called after it. Rejects on abort, and on nothing that files do. */
export async function watchCommand(
  around: CommandSurroundings,
  signal: AbortSignal,
): Promise<() => Promise<CommandChanges>> {
  const before = await lookAround(around, signal);
  // A command that was stopped has changed files too, so its signal no longer counts.
  return () => compare(around, before, new AbortController().signal);
}

/** What is known of a file before the command; `unknown`: it was there and its bytes were not read. */
interface Watched {
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt'> | undefined;
  readonly bytes: FileBytes | 'unknown';
}

interface Look {
  readonly time: number;
  /** Where the facts of the checkpoints began to be newer than this look. */
  readonly facts: number;
  /** Folders under version control, with the commit that was checked out. */
  readonly commits: ReadonlyMap<string, string | null>;
  readonly watched: ReadonlyMap<string, Watched>;
}

async function lookAround(around: CommandSurroundings, signal: AbortSignal): Promise<Look> {
  const time = around.clock.now();
  const facts = around.checkpoints.count;
  const commits = new Map<string, string | null>();
  const paths = new Set(around.checkpoints.paths);
  for (const folder of around.folders) {
    const changed = await around.versionControl.changedFiles(folder, signal);
    if (!changed) continue;
    commits.set(folder, changed.commit);
    for (const file of changed.files) paths.add(file.path);
  }
  const watched = new Map<string, Watched>();
  let left = keptBytesLimit;
  for (const path of paths) {
    signal.throwIfAborted();
    const found = await look(around.files, path, left);
    watched.set(path, found);
    if (found.bytes !== null && found.bytes !== 'unknown') left -= found.bytes.length;
  }
  return { time, facts, commits, watched };
}

async function look(files: FileSystem, path: string, limit: number): Promise<Watched> {
  try {
    const stat = await files.stat(path);
    if (!stat) return { stat, bytes: null };
    const fits = stat.kind === 'file' && stat.size <= limit;
    return { stat, bytes: fits ? await files.readBytes(path) : 'unknown' };
  } catch (error) {
    if (error instanceof FileError) return { stat: undefined, bytes: 'unknown' };
    throw error;
  }
}

/** What may have changed, and where its earlier content is. */
interface Suspect {
  readonly path: string;
  readonly earlier: () => Promise<FileBytes | 'unknown'>;
}

async function compare(
  around: CommandSurroundings,
  before: Look,
  signal: AbortSignal,
): Promise<CommandChanges> {
  const bare = around.folders.filter(folder => !before.commits.has(folder));
  const suspects = new Map<string, Suspect>();
  for (const [path, watched] of before.watched) {
    if (await isSame(around.files, path, watched)) continue;
    suspects.set(path, { path, earlier: async () => watched.bytes });
  }
  for (const [folder, commit] of before.commits) {
    const now = await around.versionControl.changedFiles(folder, signal, commit);
    if (!now) bare.push(folder);
    const fresh = (now?.files ?? []).filter(({ path }) => !before.watched.has(path));
    const rulesChanged = now?.files.some(({ path }) => /[\\/]\.gitignore$/.test(path)) ?? false;
    for (const file of fresh) {
      const ignoredBefore = rulesChanged ? before.time : undefined;
      const earlier = () => readEarlier(around, { folder, file, ignoredBefore }, signal);
      suspects.set(file.path, { path: file.path, earlier });
    }
  }
  return tell(around, [...suspects.values()], bare, before.facts);
}

async function isSame(files: FileSystem, path: string, { stat }: Watched): Promise<boolean> {
  const now = await look(files, path, 0);
  return now.stat?.size === stat?.size && now.stat?.modifiedAt === stat?.modifiedAt;
}

interface Fresh {
  readonly folder: string;
  readonly file: ChangedFile;
  /** An uncommitted file that is older than this may have been ignored until now; `undefined`: none was. */
  readonly ignoredBefore: number | undefined;
}

async function readEarlier(
  { files, versionControl }: CommandSurroundings,
  { folder, file, ignoredBefore }: Fresh,
  signal: AbortSignal,
): Promise<FileBytes | 'unknown'> {
  if (file.committed === null) {
    if (ignoredBefore === undefined) return null;
    const { stat } = await look(files, file.path, 0);
    return stat && stat.modifiedAt < ignoredBefore - roundedTime ? 'unknown' : null;
  }
  try {
    return await versionControl.readCommitted(folder, file.committed, signal);
  } catch {
    // Whatever the reason: it is counted among what is not covered.
    return 'unknown';
  }
}

async function tell(
  around: CommandSurroundings,
  suspects: readonly Suspect[],
  bare: readonly string[],
  facts: number,
): Promise<CommandChanges> {
  const touched: FileCounts[] = [];
  let missed = Math.max(0, suspects.length - toldFiles);
  for (const suspect of suspects.slice(0, toldFiles)) {
    const compareNow = () => compareFile(around, suspect, facts);
    const result = await around.checkpoints.inTurn(suspect.path, compareNow);
    if (result === 'unknown') missed++;
    else if (result) touched.push(result);
  }
  const uncovered = describeGaps(around.folders, around.reads ? [] : bare, missed);
  return uncovered === undefined ? { touched } : { touched, uncovered };
}

async function compareFile(
  { files, blobs, checkpoints, writing, show }: CommandSurroundings,
  { path, earlier: readBefore }: Suspect,
  facts: number,
): Promise<FileCounts | 'unknown' | undefined> {
  const { bytes: present } = await look(files, path, keptFileLimit);
  // What another writer left there meanwhile is not the command's doing.
  const left = checkpoints.leftSince(facts, path);
  const earlier = left ? ((await blobs.get(left)) ?? 'unknown') : left === null ? null : await readBefore();
  if (present === 'unknown' || earlier === 'unknown') return 'unknown';
  if (sameBytes(earlier, present)) return undefined;
  try {
    await writing.found(path, earlier, present);
  } catch (error) {
    if (error instanceof FileError) return 'unknown';
    throw error;
  }
  return { path: await show(path), ...countLines(earlier, present) };
}

/** In words that hold for commands and for servers, so that the card of the second need not say it again. */
function describeGaps(
  folders: readonly string[],
  bare: readonly string[],
  missed: number,
): string | undefined {
  const gaps: string[] = [];
  if (bare.length > 0) {
    const where = bare.length < folders.length ? ` in ${bare.join(' and ')}` : '';
    gaps.push(
      `Without Git${where} only files that Folio itself has written are covered: a rewind does not put back what else this changed.`,
    );
  }
  if (missed > 0) {
    gaps.push(
      `A rewind does not put back ${plural(missed, 'file')} that this may have changed: too many, too large or not to be read.`,
    );
  }
  return gaps.length > 0 ? gaps.join(' ') : undefined;
}
