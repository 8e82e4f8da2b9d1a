/* Compares and applies the changes of an imported session to files of this workspace. */

import type { ReviewedHunk } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { FileError, type FileSystem, utf8Format } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { applyAgentWrite, changesTo, presentText } from '../../review/fileReview.ts';
import type { FileReview } from '../../review/hunk.ts';
import { emptyMemory } from '../../review/reviewMemory.ts';
import { recordReview, recordShelvedReviews } from '../changes/describeReview.ts';
import { startReview } from '../changes/reviewPlace.ts';
import { formatPathIn } from '../folderPaths.ts';
import { WorkspacePaths } from '../paths.ts';
import type { HunkAttribution, ImportedChange } from './importedSession.ts';

/** A change of an imported session with its file in this workspace. */
export interface LocatedChange {
  readonly change: ImportedChange;
  /** Absolute and real; empty if the status is `unavailable`. */
  readonly path: string;
  /**
   * `applied`: the file has the text after the session. `applicable`: it has the text before. `conflict`: it has
   * another text. `unavailable`: it is outside the workspace or protected.
   */
  readonly status: 'applied' | 'applicable' | 'conflict' | 'unavailable';
}

interface Here {
  readonly files: FileSystem;
  /** Absolute. */
  readonly folders: readonly string[];
}

/** Returns one result per change, in order. Writes nothing. */
export async function locateChanges(
  changes: readonly ImportedChange[],
  { files, folders }: Here,
): Promise<readonly LocatedChange[]> {
  const found: LocatedChange[] = [];
  for (const change of changes) {
    const root = folders[change.folder];
    // The gate resolves the name, so that `..` cannot leave the folder.
    const place =
      root === undefined || /^[\\/]|^[A-Za-z]:/.test(change.name)
        ? undefined
        : await new WorkspacePaths(files, [root]).locate(`${root}/${change.name}`, 'write');
    const path = place?.kind === 'inside' && !place.protection ? place.path : undefined;
    if (path === undefined || found.some(each => each.path === path))
      found.push({ change, path: '', status: 'unavailable' });
    else found.push({ change, path, status: await compare(files, path, change) });
  }
  return found;
}

async function compare(files: FileSystem, path: string, { before, after }: ImportedChange) {
  try {
    const text = (await files.stat(path)) ? (await files.readText(path)).text : null;
    if (text === after) return 'applied';
    return text === before ? 'applicable' : 'conflict';
  } catch (error) {
    if (error instanceof FileError) return 'conflict';
    throw error;
  }
}

/** Applies `applicable` changes. @returns all changes with their new status */
export async function applyChanges(
  changes: readonly LocatedChange[],
  files: FileSystem,
): Promise<readonly LocatedChange[]> {
  const made: LocatedChange[] = [];
  for (const each of changes) {
    const { path, status, change } = each;
    if (status !== 'applicable') made.push(each);
    else made.push({ ...each, status: await write(files, path, change) });
  }
  return made;
}

async function write(files: FileSystem, path: string, { before, after }: ImportedChange) {
  try {
    const format = before === null ? await files.newFormat(path) : (await files.readText(path)).format;
    await files.writeText(path, after, format, before);
    return 'applied';
  } catch (error) {
    // The file changed meanwhile or cannot be written; the note names it.
    if (error instanceof FileError) return 'conflict';
    throw error;
  }
}

interface ReviewPorts {
  readonly blobs: BlobStore;
  readonly log: Pick<Log, 'error'>;
  readonly folder: string | undefined;
}

/** Returns events that record pending reviews of applied changes, and shelved reviews of others. */
export async function reviewEventsOf(
  changes: readonly LocatedChange[],
  { blobs, log, folder }: ReviewPorts,
): Promise<readonly SessionEventBody[]> {
  const events: SessionEventBody[] = [];
  const show = async (path: string) => formatPathIn(folder, path);
  const ports = { blobs, log, show, emit: (event: SessionEventBody) => void events.push(event) };
  for (const { change, path, status } of changes) {
    if (status === 'unavailable') continue;
    const review = reviewOf(path, change);
    const entry = { review, format: utf8Format, memory: emptyMemory, recorded: undefined };
    const away = {
      away: status === 'applied' ? [] : [review],
      recordedAway: [],
      recording: Promise.resolve(),
    };
    if (status === 'applied') await recordReview(path, { ...entry, ...away }, () => true, ports);
    else await recordShelvedReviews(path, { ...entry, ...away }, ports);
  }
  return events;
}

/** Computes hunks from the texts, since positions in the file may be wrong. */
function reviewOf(path: string, { before, after, hunks }: ImportedChange): FileReview {
  const begun = startReview(path, before, undefined);
  const written = applyAgentWrite(begun, changesTo(begun, after), '');
  if (presentText(written) !== after) throw new Error(`The hunks of ${path} do not lead to its text.`);
  return { ...written, hunks: written.hunks.map(hunk => ({ ...hunk, ...originOf(hunk, hunks) })) };
}

function originOf(
  { baseStart, start }: Pick<ReviewedHunk, 'baseStart' | 'start'>,
  origins: readonly HunkAttribution[],
) {
  const same = origins.find(each => each.baseStart === baseStart && each.start === start) ?? origins[0];
  return { chapterIds: same?.chapterIds ?? [], writers: same?.writers };
}
