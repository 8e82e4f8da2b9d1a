/* Putting one file back, with the person's own later edits kept. */

import type { RestoredFile } from '../../../protocol/changes.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { FileSystem, TextFormat } from '../../platform/fileSystem.ts';
import { agentWrites, baseText, beginReview, changesTo, personWrites } from '../../review/fileReview.ts';
import { countLines, decodeText, type FileBytes, sameBytes } from './bytes.ts';
import type { WrittenFile } from './checkpoints.ts';

export interface RestorePorts {
  readonly files: FileSystem;
  readonly blobs: BlobStore;
}

/** What would happen to a file, and how to make it happen. `unchanged`: it is as it was already. */
export type Restoration =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'blocked'; readonly result: 'conflict' | 'lost'; readonly counts: Counts }
  | { readonly kind: 'delete'; readonly counts: Counts }
  | {
      readonly kind: 'bytes';
      readonly result: 'restored' | 'created';
      readonly bytes: Uint8Array;
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

/** Reads only. */
export async function planRestoration(file: WrittenFile, ports: RestorePorts): Promise<Restoration> {
  const wanted = await readBlob(ports.blobs, file.before);
  const left = await readBlob(ports.blobs, file.after);
  if (wanted === 'lost') return { kind: 'blocked', result: 'lost', counts: { added: 0, removed: 0 } };
  const exists = (await ports.files.stat(file.path)) !== undefined;
  const present = exists ? await ports.files.readBytes(file.path) : null;
  if (sameBytes(present, wanted)) return { kind: 'unchanged' };
  const counts = countLines(present, wanted);
  if (left !== 'lost' && sameBytes(present, left)) {
    if (wanted === null) return { kind: 'delete', counts };
    return { kind: 'bytes', result: present === null ? 'created' : 'restored', bytes: wanted, counts };
  }
  if (left === 'lost' || wanted === null || left === null || present === null) {
    return { kind: 'blocked', result: 'conflict', counts };
  }
  return merge(file.path, wanted, left, ports);
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
      await files.delete(path);
      return 'deleted';
    case 'bytes':
      await files.writeBytes(path, plan.bytes);
      return plan.result;
    case 'text':
      await files.writeText(path, plan.text, plan.format, plan.expected);
      return 'merged';
  }
}

/** Three-way: what the person did to Folio's text is done to the text that is put back. */
async function merge(
  path: string,
  wanted: Uint8Array,
  left: Uint8Array,
  ports: RestorePorts,
): Promise<Restoration> {
  const [before, after] = [decodeText(wanted), decodeText(left)];
  const present = await ports.files.readText(path).catch(() => undefined);
  const counts = countLines(present ? new TextEncoder().encode(present.text) : null, wanted);
  if (before === undefined || after === undefined || !present)
    return { kind: 'blocked', result: 'conflict', counts };
  const begun = beginReview(before);
  const written = agentWrites(begun, changesTo(begun, after), '');
  const typed = personWrites(written, changesTo(written, present.text));
  if (typed.hunks.some(hunk => hunk.touched)) return { kind: 'blocked', result: 'conflict', counts };
  return { kind: 'text', text: baseText(typed), expected: present.text, format: present.format, counts };
}

async function readBlob(blobs: BlobStore, id: string | null): Promise<FileBytes | 'lost'> {
  return id === null ? null : ((await blobs.get(id)) ?? 'lost');
}
