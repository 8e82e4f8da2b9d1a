/*
 * Detects what a command, or a tool of a server, changed. It covers files under version control, whose earlier content
 * is committed, and files that the session wrote or that differ from the commit, which are read in advance. Other
 * changes are not covered, as the card says.
 *
 *     before the command         after it               earlier content
 *     listed or written by us    its bytes differ       the bytes that were read before
 *     not listed: as committed   listed now, or         the content of the earlier commit
 *                                committed otherwise
 *
 * Bytes are those of the file system: unsaved text in an editor is the user's. Writes that others reported meanwhile
 * are excluded, so each interval between two of them is compared separately:
 *
 *     earlier ─command► found ─user► saved ─command► present
 *
 * If something else that may write ran at the same time, changes are attributed to an unknown writer.
 */

import { sumCounts } from '../../../protocol/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConcurrentWrite } from '../../platform/concurrentWrites.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { BlobStore } from '../../platform/storage.ts';
import type { ChangedFile, VersionControl } from '../../platform/versionControl.ts';
import type { AttributedFileSystem } from './attributedFileSystem.ts';
import { BranchSwitches } from './branchSwitches.ts';
import {
  changesBetween,
  countChange,
  type FileBytes,
  type FileContent,
  linkTargetOf,
  sameBytes,
} from './bytes.ts';
import { type Checkpoints, checkpointFileLimit, type PathState } from './checkpoints.ts';
import type { AttributedWrite, ConcurrentRunsView } from './concurrentRuns.ts';
import { FileScan, type ScannedFile } from './fileScan.ts';
import type { ListIncludedFiles } from './includedIgnoredFiles.ts';
import { CommandWatch, type FileStability, type ReportedFile, type ScanResult } from './runningChanges.ts';
import { describeTrackingGaps, type TrackingGaps } from './trackingGaps.ts';

export interface CommandWatchPorts {
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly clock: Pick<Clock, 'now'>;
  readonly checkpoints: Pick<Checkpoints, 'paths' | 'count' | 'writtenSince' | 'leftSince' | 'inTurn'>;
  /** Receives the changes in the command's name. */
  readonly writing: Pick<AttributedFileSystem, 'found' | 'decode'>;
  /** Other runs that may write meanwhile. */
  readonly concurrentRuns: Pick<ConcurrentRunsView, 'begin'>;
  readonly show: (path: string) => Promise<string>;
  /** Ignored files that are scanned nevertheless; absent: none. */
  readonly listNamed?: ListIncludedFiles;
  readonly command?: WatchedCommand;
}

/** Facts about a command before it runs. */
interface WatchedCommand {
  /** Known to be read-only, so it is no gap if its folder is not covered. */
  readonly reads?: boolean;
  /** It names Git, so changes from another commit are its own. */
  readonly usesGit?: boolean;
  /** Processes of this call, also in the background, belong to it. */
  readonly callId?: string;
}

/** Bytes of uncommitted files saved before one command at most. More is not covered. */
const keptBytesLimit = 20 * 1024 * 1024;
/** Files whose changes are reported one by one. Others are only counted. */
const reportedFiles = 2000;
/** Files compared concurrently, and committed contents read per batch. */
const filesAtOnce = 16;
const contentsAtOnce = 250;
/** Milliseconds, since file systems round timestamps. */
const roundedTime = 2000;

/** Takes the state before a command. Rejects only on abort, never because of files. */
export async function watchCommand(around: CommandWatchPorts, signal: AbortSignal): Promise<CommandWatch> {
  const heard: DatedWrite[] = [];
  const { reads = false, usesGit = false, callId } = around.command ?? {};
  const hear = (write: AttributedWrite) => heard.push({ ...write, facts: around.checkpoints.count });
  const watch = around.concurrentRuns.begin(hear, callId);
  const switches = new BranchSwitches({ ...around, hear, usesGit });
  try {
    const before = await scanWorkspace(around, signal);
    const compareNow = (stability: FileStability | undefined, by: Meanwhile['by']) =>
      compare(around, before, { heard, by, switches, goesOn: watch.isLasting() }, stability);
    return new CommandWatch(watch, compareNow, reads);
  } catch (error) {
    await watch.end();
    throw error;
  }
}

interface DatedWrite extends AttributedWrite {
  /** Number of checkpoint events at that time. */
  readonly facts: number;
}

/** Reported actions of others meanwhile. */
interface Meanwhile {
  readonly heard: readonly DatedWrite[];
  readonly by: Parameters<AttributedFileSystem['found']>[1];
  readonly switches: BranchSwitches;
  /** The call has ended, and its command still runs. */
  readonly goesOn: boolean;
}

interface View {
  readonly time: number;
  /** Number of checkpoint events before this scan. */
  readonly facts: number;
  /** Folders under version control with their checked-out commit. */
  readonly commits: ReadonlyMap<string, string | null>;
  readonly watched: ReadonlyMap<string, ScannedFile>;
  /** Folders whose named files could be listed. */
  readonly named: readonly string[];
}

async function scanWorkspace(around: CommandWatchPorts, signal: AbortSignal): Promise<View> {
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
  const named: string[] = [];
  for (const folder of around.listNamed ? around.folders : []) {
    const files = await around.listNamed?.(folder, signal);
    if (files) named.push(folder);
    for (const path of files ?? []) paths.add(path);
  }
  const watched = new Map<string, ScannedFile>();
  const scans = new FileScan(around.files);
  let left = keptBytesLimit;
  for (const path of paths) {
    signal.throwIfAborted();
    const found = await scans.scan(path, left);
    watched.set(path, found);
    if (found.bytes !== null && found.bytes !== 'unknown') left -= found.bytes.length;
  }
  return { time, facts, commits, watched, named };
}

/** Source of a file's earlier content: read in advance, or committed. */
type EarlierBytes =
  | { readonly kind: 'read'; readonly bytes: FileBytes | 'unknown' }
  | {
      readonly kind: 'committed';
      readonly folder: string;
      readonly name: string;
      readonly isLink: boolean | undefined;
    };

/** A file that may have changed. */
interface Suspect extends Pick<FileContent, 'executable' | 'link'> {
  readonly path: string;
  readonly earlier: EarlierBytes;
  /** It matches another commit that was checked out. */
  readonly isSwitched?: boolean;
}

/** @param stability absent: reports all changes, also of files that still change */
async function compare(
  around: CommandWatchPorts,
  before: View,
  meanwhile: Meanwhile,
  stability: FileStability | undefined,
): Promise<ScanResult> {
  // A stopped command has changed files, too, so its signal no longer counts.
  const { signal } = new AbortController();
  const scans = new FileScan(around.files);
  const { suspects: all, gaps } = await findSuspects(around, scans, before, meanwhile, signal);
  const found = { suspects: stability ? await settledOf(all, scans, stability) : all, gaps };
  return notify(around, scans, { ...found, facts: before.facts, meanwhile }, signal);
}

async function findSuspects(
  around: CommandWatchPorts,
  scans: FileScan,
  before: View,
  { switches, goesOn }: Meanwhile,
  signal: AbortSignal,
): Promise<Pick<Found, 'suspects' | 'gaps'>> {
  const bare = around.folders.filter(folder => !before.commits.has(folder));
  const suspects = new Map<string, Suspect>();
  // A reported file may be as committed again, or deleted: compare it with what its last writer left.
  for (const path of around.checkpoints.writtenSince(before.facts))
    suspects.set(path, { path, earlier: { kind: 'read', bytes: 'unknown' } });
  for (const [path, watched] of before.watched) {
    if (await scans.isSame(path, watched)) continue;
    const { bytes, stat, link } = watched;
    suspects.set(path, { path, earlier: { kind: 'read', bytes }, executable: stat?.executable, link });
  }
  const switched = new Set<string>();
  for (const [folder, commit] of before.commits) {
    const now = await around.versionControl.changedFiles(folder, signal, commit);
    if (!now) bare.push(folder);
    const found = now ? await switches.find(folder, commit, now, signal) : new Set<string>();
    if (goesOn && now) await switches.hear(folder, now.commit, found);
    for (const path of found) switched.add(path);
    const fresh = (now?.files ?? []).filter(({ path }) => !before.watched.has(path));
    const rulesChanged = now?.files.some(({ path }) => /[\\/]\.(git|rg)?ignore$/.test(path)) ?? false;
    for (const file of fresh) {
      const ignoredBefore = rulesChanged ? before.time : undefined;
      const earlier = await findEarlier(scans, { folder, file, ignoredBefore });
      suspects.set(file.path, { path: file.path, earlier, executable: file.executable });
    }
  }
  let named = before.named.length;
  for (const folder of before.named) {
    const now = await around.listNamed?.(folder, signal);
    if (!now) named--;
    // Files that existed before are watched already.
    for (const path of now ?? [])
      if (!before.watched.has(path) && !suspects.has(path))
        suspects.set(path, { path, earlier: { kind: 'read', bytes: null } });
  }
  for (const path of switched) {
    const suspect = suspects.get(path);
    if (goesOn) suspects.delete(path);
    else if (suspect) suspects.set(path, { ...suspect, isSwitched: true });
  }
  const areNamed = around.listNamed === undefined || named === around.folders.length;
  return { suspects: [...suspects.values()], gaps: { bare: around.command?.reads ? [] : bare, areNamed } };
}

async function settledOf(
  suspects: readonly Suspect[],
  scans: FileScan,
  stability: FileStability,
): Promise<readonly Suspect[]> {
  const settled: Suspect[] = [];
  for (const suspect of suspects) {
    const { stat, link } = await scans.scan(suspect.path, 0);
    const appearance = `${stat?.size} ${stat?.modifiedAt} ${stat?.executable} ${link}`;
    if (stability.hasSettled(suspect.path, appearance)) settled.push(suspect);
  }
  return settled;
}

interface Fresh {
  readonly folder: string;
  readonly file: ChangedFile;
  /** An uncommitted file older than this may have been ignored until now; `undefined`: none was. */
  readonly ignoredBefore: number | undefined;
}

async function findEarlier(scans: FileScan, { folder, file, ignoredBefore }: Fresh): Promise<EarlierBytes> {
  if (file.committed !== null)
    return { kind: 'committed', folder, name: file.committed, isLink: file.isLink };
  if (ignoredBefore === undefined) return { kind: 'read', bytes: null };
  const { stat } = await scans.scan(file.path, 0);
  const isOlder = stat && stat.modifiedAt < ignoredBefore - roundedTime;
  return { kind: 'read', bytes: isOlder ? 'unknown' : null };
}

interface Found {
  readonly suspects: readonly Suspect[];
  readonly gaps: Omit<TrackingGaps, 'missed'>;
  readonly facts: number;
  readonly meanwhile: Meanwhile;
}

async function notify(
  around: CommandWatchPorts,
  scans: FileScan,
  { suspects, gaps, facts, meanwhile }: Found,
  signal: AbortSignal,
): Promise<ScanResult> {
  const reported: ReportedFile[] = [];
  let missed = Math.max(0, suspects.length - reportedFiles);
  for (const group of groupsOf(suspects.slice(0, reportedFiles), contentsAtOnce)) {
    const committed = await readCommitted(around.versionControl, group, signal);
    for (const together of groupsOf(group, filesAtOnce)) {
      const compareNow = (suspect: Suspect) =>
        around.checkpoints.inTurn(suspect.path, () => {
          const { path, isSwitched } = suspect;
          const by = isSwitched ? 'someone' : meanwhile.by;
          const file = { path, before: earlierOf(suspect, committed), facts };
          return compareFile(around, scans, file, { ...meanwhile, by });
        });
      for (const result of await Promise.all(together.map(compareNow))) {
        if (result === 'unknown') missed++;
        else if (result) reported.push(result);
      }
    }
  }
  const uncovered = describeTrackingGaps(around.folders, { ...gaps, missed });
  return uncovered === undefined ? { reported } : { reported, uncovered };
}

function groupsOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

/** Returns contents by path. Missing ones could not be read, and count as not covered. */
async function readCommitted(
  versionControl: VersionControl,
  suspects: readonly Suspect[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileBytes>> {
  const contents = new Map<string, FileBytes>();
  const byFolder = new Map<string, Map<string, string>>();
  for (const { path, earlier } of suspects) {
    if (earlier.kind !== 'committed') continue;
    const names = byFolder.get(earlier.folder) ?? new Map<string, string>();
    byFolder.set(earlier.folder, names.set(path, earlier.name));
  }
  for (const [folder, names] of byFolder) {
    const read = await versionControl.readCommitted(folder, [...names.values()], signal);
    for (const [path, name] of names) {
      const bytes = read.get(name);
      if (bytes) contents.set(path, bytes);
    }
  }
  return contents;
}

function earlierOf(
  { path, earlier, executable, link }: Suspect,
  committed: ReadonlyMap<string, FileBytes>,
): FileContent | 'unknown' {
  const bytes = earlier.kind === 'read' ? earlier.bytes : (committed.get(path) ?? 'unknown');
  if (bytes === 'unknown') return 'unknown';
  if (earlier.kind === 'read' || !earlier.isLink) return { bytes, executable, link };
  return { bytes: null, link: bytes ? Buffer.from(bytes).toString() : undefined };
}

interface ComparedFile {
  readonly path: string;
  readonly before: FileContent | 'unknown';
  readonly facts: number;
}

async function compareFile(
  { blobs, checkpoints, writing, show }: CommandWatchPorts,
  scans: FileScan,
  { path, before, facts }: ComparedFile,
  { heard, by }: Meanwhile,
): Promise<ReportedFile | 'unknown' | undefined> {
  const { bytes, stat, link } = await scans.scan(path, checkpointFileLimit);
  // Excludes changes that other writers made meanwhile.
  const left = checkpoints.leftSince(facts, path);
  const earlier = left ? await readKept(left.kept, blobs) : before;
  if (bytes === 'unknown' || earlier === 'unknown') return 'unknown';
  const later = heard.filter(write => write.path === path && write.facts >= (left?.count ?? 0));
  // An editor also reports Folio's own saves: this session's perhaps after they are recorded, another's as a duplicate.
  const isOwn = left && later[0] && sameBytes(later[0].after, earlier.bytes);
  // A save that began before the command left what the command found.
  const isEarlier = ({ before, after }: ConcurrentWrite) =>
    before === undefined && sameBytes(after, earlier.bytes);
  const others = withoutEchoes(isOwn ? later.slice(1) : later).filter(write => !isEarlier(write));
  const present = { bytes, executable: stat?.executable, link };
  const changes = changesBetween(earlier, others, present);
  const since = changes.at(-1)?.after === present ? undefined : others.at(-1);
  if (changes.length === 0) return undefined;
  try {
    for (const change of changes.slice(0, -1)) await writing.found({ path, ...change }, by);
    await writing.found({ path, ...changes.at(-1)!, since }, by);
  } catch (error) {
    if (error instanceof FileError) return 'unknown';
    throw error;
  }
  const counts = await Promise.all(
    changes.map(change => countChange(writing, path, change.before, change.after)),
  );
  const { executable } = counts.at(-1)!;
  const [{ before: first }, { after: last }] = [changes[0]!, changes.at(-1)!];
  return { path: await show(path), ...sumCounts(counts), executable, before: first, after: last };
}

/** Drops editor reports of saves that sessions already reported, in any order. */
function withoutEchoes(writes: readonly DatedWrite[]): readonly DatedWrite[] {
  const unmatched = writes.filter(({ writer }) => writer !== undefined);
  return writes.filter(({ writer, before, after }) => {
    if (writer !== undefined || before === undefined) return true;
    const at = unmatched.findIndex(
      each => each.before !== undefined && sameBytes(each.before, before) && sameBytes(each.after, after),
    );
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
}

async function readKept({ name, executable }: PathState, blobs: BlobStore): Promise<FileContent | 'unknown'> {
  const link = linkTargetOf(name);
  if (name === null || link !== undefined) return { bytes: null, link };
  const bytes = await blobs.get(name);
  return bytes ? { bytes, executable } : 'unknown';
}
