/*
 * What a command changed. Nobody can say that of every file on a disk; it can be said of files under version
 * control, because their earlier content is in the index, and of files that this session has written, because
 * their bytes are kept. What else a command did is not covered, and the card says so.
 */

import type { FileCounts } from '../../../protocol/events.ts';
import { plural } from '../../base/text.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { FileStat, FileSystem } from '../../platform/fileSystem.ts';
import type { VersionControl } from '../../platform/versionControl.ts';
import { countLines, sameBytes } from './bytes.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface CommandSurroundings {
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly checkpoints: Checkpoints;
  readonly show: (path: string) => Promise<string>;
}

export interface CommandChanges {
  readonly touched: readonly FileCounts[];
  /** What a rewind will not put back, one sentence. */
  readonly uncovered?: string;
}

/** A file that could be lost to a command, with its bytes where version control does not have them. */
interface Watched {
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt'> | undefined;
  readonly bytes: Uint8Array | undefined;
}

/** Bytes of uncommitted files that are kept before one command at the most; more is left uncovered. */
const keptBytesLimit = 20 * 1024 * 1024;
/** Files whose changes are told one by one. */
const toldFiles = 200;

/** Call before a command; what it returns is called after it. Never rejects but for an abort. */
export async function watchCommand(
  around: CommandSurroundings,
  signal: AbortSignal,
): Promise<() => Promise<CommandChanges>> {
  const before = await lookAround(around, signal);
  return () => compare(around, before, signal);
}

interface Look {
  readonly underControl: boolean;
  readonly watched: ReadonlyMap<string, Watched>;
  readonly skipped: number;
}

async function lookAround(around: CommandSurroundings, signal: AbortSignal): Promise<Look> {
  const changed = await changedFiles(around, signal);
  const paths = new Set([...around.checkpoints.paths, ...(changed ?? []).map(file => file.path)]);
  const watched = new Map<string, Watched>();
  let left = keptBytesLimit;
  let skipped = 0;
  for (const path of paths) {
    const stat = await around.files.stat(path);
    if (stat && stat.kind !== 'file') continue;
    const fits = stat !== undefined && stat.size <= left;
    if (stat && !fits) skipped++;
    if (fits) left -= stat.size;
    watched.set(path, { stat, bytes: fits ? await around.files.readBytes(path) : undefined });
  }
  return { underControl: changed !== undefined, watched, skipped };
}

async function compare(
  around: CommandSurroundings,
  before: Look,
  signal: AbortSignal,
): Promise<CommandChanges> {
  const now = await changedFiles(around, signal);
  const paths = new Set([...before.watched.keys(), ...(now ?? []).map(file => file.path)]);
  const touched: FileCounts[] = [];
  let unknown = before.skipped;
  for (const path of [...paths].slice(0, toldFiles)) {
    const result = await compareFile(around, path, before.watched.get(path), signal);
    if (result === 'unknown') unknown++;
    else if (result) touched.push(result);
  }
  return {
    touched,
    uncovered: describeGaps(before.underControl, Math.max(0, paths.size - toldFiles), unknown),
  };
}

async function compareFile(
  around: CommandSurroundings,
  path: string,
  known: Watched | undefined,
  signal: AbortSignal,
): Promise<FileCounts | 'unknown' | undefined> {
  const { files, checkpoints } = around;
  const stat = await files.stat(path);
  if (stat && stat.kind !== 'file') return undefined;
  if (known && stat?.size === known.stat?.size && stat?.modifiedAt === known.stat?.modifiedAt)
    return undefined;
  if (known?.stat && !known.bytes) return 'unknown';
  // A file that was not in the list before stood as in the index, or was not there.
  const earlier = known
    ? (known.bytes ?? null)
    : ((await around.versionControl.readIndexed(path, signal)) ?? null);
  const present = stat ? await files.readBytes(path) : null;
  if (sameBytes(earlier, present)) return undefined;
  await checkpoints.keepBytes(path, earlier);
  await checkpoints.wrote(path, 'command');
  return { path: await around.show(path), ...countLines(earlier, present) };
}

/** Of all folders together; `undefined` when none of them is under version control. */
async function changedFiles({ versionControl, folders }: CommandSurroundings, signal: AbortSignal) {
  const lists = await Promise.all(folders.map(folder => versionControl.changedFiles(folder, signal)));
  const known = lists.filter(list => list !== undefined);
  return known.length > 0 ? known.flat() : undefined;
}

function describeGaps(underControl: boolean, untold: number, unknown: number): string | undefined {
  if (!underControl) {
    return 'Without Git only files that Folio itself has written are covered: a rewind does not put back what else this command changed.';
  }
  const missed = untold + unknown;
  if (missed === 0) return undefined;
  return `A rewind does not put back ${plural(missed, 'file')} that this command may have changed: too many or too large.`;
}
