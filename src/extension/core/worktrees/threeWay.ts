/*
 * Three states of a file, for changes in either direction:
 *
 *     base    the last common content
 *     theirs  the content at the source
 *     mine    the content at the target
 */

import type { Worktree } from '../../../protocol/worktree.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';
import type { Worktrees } from '../../platform/worktrees.ts';
import { sameBytes } from '../changes/bytes.ts';

/** Contents of a file; `null`: it does not exist. */
export interface ThreeStates {
  readonly base: Uint8Array | null;
  readonly mine: Uint8Array | null;
  readonly theirs: Uint8Array | null;
}

type JoinedFile =
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly result: 'created' | 'changed' | 'merged' }
  | { readonly kind: 'delete' }
  /** `marked`: both texts with conflict markers; absent: one is binary or deleted. */
  | { readonly kind: 'conflict'; readonly marked?: Uint8Array | undefined };

type Sides = Parameters<Worktrees['merge']>[1];

/** Computes the new content of `mine`, which differs from `theirs`. */
export async function mergeStates(
  { base, mine, theirs }: ThreeStates,
  sides: Sides,
  worktrees: Pick<Worktrees, 'merge'>,
  signal: AbortSignal,
): Promise<JoinedFile> {
  if (sameBytes(mine, base)) {
    if (theirs === null) return { kind: 'delete' };
    return { kind: 'write', bytes: theirs, result: mine === null ? 'created' : 'changed' };
  }
  if (!mine || !theirs) return { kind: 'conflict' };
  const merged = await worktrees.merge({ base: base ?? new Uint8Array(), mine, theirs }, sides, signal);
  return merged.kind === 'clean'
    ? { kind: 'write', bytes: merged.bytes, result: 'merged' }
    : { kind: 'conflict', marked: merged.marked };
}

const sessionSide = 'the session (worktree ';

/** Names the sides for changes of the user moving into a worktree. English, since the model reads them. */
export function conflictSides({ name }: Pick<Worktree, 'name'>): Sides {
  return { mine: `${sessionSide}${name})`, theirs: "the user's own files" };
}

/** True if the text contains a conflict of an update. */
export function holdsConflict(bytes: Uint8Array | null): boolean {
  return bytes !== null && Buffer.from(bytes).includes(`<<<<<<< ${sessionSide}`);
}

/** Returns `null` if the file does not exist. */
export async function readIfThere(
  files: Pick<FileSystem, 'readBytes'>,
  path: string,
): Promise<Uint8Array | null> {
  return await orNone(files.readBytes(path));
}

/** Like `readIfThere`, without unsaved text of editors. */
export async function readSavedIfThere(
  files: Pick<FileSystem, 'readSaved'>,
  path: string,
): Promise<Uint8Array | null> {
  return await orNone(files.readSaved(path));
}

async function orNone(reading: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError && error.kind === 'notFound') return null;
    throw error;
  }
}

/** Writes valid text as text, so that editors and reviews follow. */
export async function writeContent(
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
