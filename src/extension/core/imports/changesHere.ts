/* How the changes of a session from elsewhere meet the files that are here. */

import type { ReviewedHunk } from '../../../protocol/changes.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { FileError, type FileSystem, plainText } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { agentWrites, changesTo, presentText } from '../../review/fileReview.ts';
import type { FileReview } from '../../review/hunk.ts';
import { emptyMemory } from '../../review/reviewMemory.ts';
import { recordReview, recordShelved } from '../changes/describeReview.ts';
import { beginOrRecall } from '../changes/reviewPlace.ts';
import { showIn } from '../folderPaths.ts';
import { WorkspacePaths } from '../paths.ts';
import type { HunkOrigin, ImportedChange } from './importedSession.ts';

/** A change, and what stands at its place here. */
export interface ChangeHere {
  readonly change: ImportedChange;
  /** Absolute and real; empty where it is `closed`. */
  readonly path: string;
  /**
   * `made`: the file holds what the session left. `open`: it holds what the session found. `other`: it holds something
   * else. `closed`: the place is outside of the workspace, or protected.
   */
  readonly status: 'made' | 'open' | 'other' | 'closed';
}

interface Here {
  readonly files: FileSystem;
  /** Absolute. */
  readonly folders: readonly string[];
}

/** One for each, in order. Writes nothing. */
export async function findChangesHere(
  changes: readonly ImportedChange[],
  { files, folders }: Here,
): Promise<readonly ChangeHere[]> {
  const found: ChangeHere[] = [];
  for (const change of changes) {
    const root = folders[change.folder];
    // Each part of a relative name counts, so one that climbs out is found at the gate.
    const place =
      root === undefined || /^[\\/]|^[A-Za-z]:/.test(change.name)
        ? undefined
        : await new WorkspacePaths(files, [root]).locate(`${root}/${change.name}`, 'write');
    const path = place?.kind === 'inside' && !place.protection ? place.path : undefined;
    if (path === undefined || found.some(each => each.path === path))
      found.push({ change, path: '', status: 'closed' });
    else found.push({ change, path, status: await compare(files, path, change) });
  }
  return found;
}

async function compare(files: FileSystem, path: string, { before, after }: ImportedChange) {
  try {
    const text = (await files.stat(path)) ? (await files.readText(path)).text : null;
    if (text === after) return 'made';
    return text === before ? 'open' : 'other';
  } catch (error) {
    if (error instanceof FileError) return 'other';
    throw error;
  }
}

/** Writes what the session left where the file still holds what it found. @returns the changes as they are then */
export async function makeChanges(
  changes: readonly ChangeHere[],
  files: FileSystem,
): Promise<readonly ChangeHere[]> {
  const made: ChangeHere[] = [];
  for (const each of changes) {
    const { path, status, change } = each;
    if (status !== 'open') made.push(each);
    else made.push({ ...each, status: await write(files, path, change) });
  }
  return made;
}

async function write(files: FileSystem, path: string, { before, after }: ImportedChange) {
  try {
    const format = before === null ? await files.newFormat(path) : (await files.readText(path)).format;
    await files.writeText(path, after, format, before);
    return 'made';
  } catch (error) {
    // Somebody wrote meanwhile, or the disk refuses: the note names the file.
    if (error instanceof FileError) return 'other';
    throw error;
  }
}

interface ReviewPorts {
  readonly blobs: BlobStore;
  readonly log: Pick<Log, 'error'>;
  readonly folder: string | undefined;
}

/** Tells what waits for review, and what comes back once the file holds it. */
export async function reviewsOf(
  changes: readonly ChangeHere[],
  { blobs, log, folder }: ReviewPorts,
): Promise<readonly SessionEventBody[]> {
  const events: SessionEventBody[] = [];
  const show = async (path: string) => showIn(folder, path);
  const ports = { blobs, log, show, emit: (event: SessionEventBody) => void events.push(event) };
  for (const { change, path, status } of changes) {
    if (status === 'closed') continue;
    const review = reviewOf(path, change);
    const entry = { review, format: plainText, memory: emptyMemory, recorded: undefined };
    const away = { away: status === 'made' ? [] : [review], recordedAway: [], recording: Promise.resolve() };
    if (status === 'made') await recordReview(path, { ...entry, ...away }, () => true, ports);
    else await recordShelved(path, { ...entry, ...away }, ports);
  }
  return events;
}

/** The hunks follow from the texts alone: places that a file names might not fit them. */
function reviewOf(path: string, { before, after, hunks }: ImportedChange): FileReview {
  const begun = beginOrRecall(path, before, undefined);
  const written = agentWrites(begun, changesTo(begun, after), '');
  if (presentText(written) !== after) throw new Error(`The hunks of ${path} do not lead to its text.`);
  return { ...written, hunks: written.hunks.map(hunk => ({ ...hunk, ...originOf(hunk, hunks) })) };
}

function originOf(
  { baseStart, start }: Pick<ReviewedHunk, 'baseStart' | 'start'>,
  origins: readonly HunkOrigin[],
) {
  const same = origins.find(each => each.baseStart === baseStart && each.start === start) ?? origins[0];
  return { chapterIds: same?.chapterIds ?? [], writers: same?.writers };
}
