import { createHash } from 'node:crypto';
import type { FileCounts } from '../../../protocol/events.ts';
import { decodeText } from '../../platform/textBytes.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Bytes of a file, or `null` where there is none. */
export type FileBytes = Uint8Array | null;

/** The name under which a blob store keeps these bytes. */
export function blobIdOf(bytes: FileBytes): string | null {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

export function sameBytes(a: FileBytes, b: FileBytes): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/** Lines that come and go between two contents; binary content has none. */
export function countLines(before: FileBytes, after: FileBytes): Pick<FileCounts, 'added' | 'removed'> {
  return countTextLines(textOf(before), textOf(after));
}

export function countTextLines(before: string, after: string): Pick<FileCounts, 'added' | 'removed'> {
  const edits = lineEdits(splitLines(before), splitLines(after));
  return {
    added: edits.reduce((sum, edit) => sum + edit.newCount, 0),
    removed: edits.reduce((sum, edit) => sum + edit.oldCount, 0),
  };
}

function textOf(bytes: FileBytes): string {
  return (bytes && decodeText(bytes)?.text) ?? '';
}
