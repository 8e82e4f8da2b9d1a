/* Putting one file back, with the person's own edits kept. */

import type { RestoredFile } from '../../../protocol/changes.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import { FileError, type FileSystem, type TextFile, type TextFormat } from '../../platform/fileSystem.ts';
import { decodeText } from '../../platform/textBytes.ts';
import { unitsOf } from '../../review/units.ts';
import { blobIdOf, countLines, countTextLines, type FileBytes } from './bytes.ts';
import type { ForeignEdit, WrittenFile } from './checkpoints.ts';
import { type MergeStep, mergeBack } from './mergeBack.ts';

export interface RestorePorts {
  readonly files: FileSystem;
  readonly blobs: BlobStore;
}

/** What would happen to a file, and how to make it happen. `unchanged`: it is as it was already. */
export type Restoration =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'blocked'; readonly result: 'conflict' | 'lost'; readonly counts: Counts }
  | { readonly kind: 'delete'; readonly present: string | null; readonly counts: Counts }
  | {
      readonly kind: 'bytes';
      readonly result: 'restored' | 'created';
      readonly bytes: Uint8Array;
      /** Hash of what it takes the place of; `null`: no file. */
      readonly present: string | null;
      readonly counts: Counts;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly expected: string;
      readonly format: TextFormat;
      readonly counts: Counts;
    };

type Counts = Pick<RestoredFile, 'added' | 'removed'>;

const noLines: Counts = { added: 0, removed: 0 };

/** Reads only. */
export async function planRestoration(file: WrittenFile, ports: RestorePorts): Promise<Restoration> {
  const found = await readPresent(file.path, ports.files);
  if (found === 'unreadable') return { kind: 'blocked', result: 'conflict', counts: noLines };
  const present = blobIdOf(found);
  // The ids are hashes, so that what a lost blob held can still be recognised.
  if (present === file.before) return { kind: 'unchanged' };
  const wanted = await readBlob(ports.blobs, file.before);
  if (wanted === 'lost') return { kind: 'blocked', result: 'lost', counts: noLines };
  const counts = countLines(found, wanted);
  if (!file.isCertain) return { kind: 'blocked', result: 'conflict', counts };
  const edits = countingEdits(file);
  if (edits.length > 0 || present !== file.after) {
    return (await planMerge(file, edits, ports)) ?? { kind: 'blocked', result: 'conflict', counts };
  }
  if (wanted === null) return { kind: 'delete', present, counts };
  return { kind: 'bytes', result: found === null ? 'created' : 'restored', bytes: wanted, present, counts };
}

/** Writes atomically. Fails with a `FileError` when the file changed since it was planned. */
export async function restore(
  path: string,
  plan: Restoration,
  files: FileSystem,
): Promise<RestoredFile['result'] | undefined> {
  switch (plan.kind) {
    case 'unchanged':
      return undefined;
    case 'blocked':
      return plan.result;
    case 'delete':
      await expect(path, plan.present, files);
      await files.delete(path);
      return 'deleted';
    case 'bytes':
      await expect(path, plan.present, files);
      await files.writeBytes(path, plan.bytes);
      return plan.result;
    case 'text':
      await files.writeText(path, plan.text, plan.format, plan.expected);
      return 'merged';
  }
}

/** Once the file held again what is wanted, or was gone, what others had done to it before is over. */
function countingEdits(file: WrittenFile): readonly ForeignEdit[] {
  const over = file.edits.findLastIndex(({ found }) => found === file.before || found === null);
  return file.edits.slice(over + 1);
}

/** `undefined`: what others did lies in what would be put back, or is no text, or is no longer kept. */
async function planMerge(
  file: WrittenFile,
  edits: readonly ForeignEdit[],
  { files, blobs }: RestorePorts,
): Promise<Restoration | undefined> {
  const [wanted, left, present] = await Promise.all([
    readKeptText(blobs, file.before),
    readKeptText(blobs, file.after),
    readPresentText(files, file.path),
  ]);
  if (!wanted || !left || !present) return undefined;
  const steps: MergeStep[] = [];
  for (const edit of edits) {
    const [from, to] = await Promise.all([readKeptText(blobs, edit.left), readKeptText(blobs, edit.found)]);
    if (!from || !to) return undefined;
    steps.push({ left: from.text, found: to.text });
  }
  steps.push({ left: left.text, found: present.text });
  const text = mergeBack(wanted.text, steps, unitsOf(file.path));
  if (text === undefined) return undefined;
  const format = isSameFormat(present.format, left.format) ? wanted.format : present.format;
  if (text === present.text && isSameFormat(format, present.format)) return { kind: 'unchanged' };
  return { kind: 'text', text, expected: present.text, format, counts: countTextLines(present.text, text) };
}

export function isSameFormat(a: TextFormat, b: TextFormat): boolean {
  return a.encoding === b.encoding && a.bom === b.bom;
}

async function readKeptText(blobs: BlobStore, id: string | null): Promise<TextFile | undefined> {
  const bytes = await readBlob(blobs, id);
  return bytes === null || bytes === 'lost' ? undefined : decodeText(bytes);
}

async function readPresentText(files: FileSystem, path: string): Promise<TextFile | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    // Gone, or no text: then there is nothing to merge.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

async function readPresent(path: string, files: FileSystem): Promise<FileBytes | 'unreadable'> {
  try {
    const stat = await files.stat(path);
    if (!stat) return null;
    return stat.kind === 'file' ? await files.readBytes(path) : 'unreadable';
  } catch (error) {
    // What cannot be read is left as it is, and the others are put back.
    if (error instanceof FileError) return 'unreadable';
    throw error;
  }
}

async function expect(path: string, present: string | null, files: FileSystem): Promise<void> {
  const found = await readPresent(path, files);
  if (found !== 'unreadable' && blobIdOf(found) === present) return;
  throw new FileError('changed', path, `${path} changed while it was put back, so it is left as it is.`);
}

async function readBlob(blobs: BlobStore, id: string | null): Promise<FileBytes | 'lost'> {
  return id === null ? null : ((await blobs.get(id)) ?? 'lost');
}
