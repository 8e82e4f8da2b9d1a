import type { FileCounts } from '../../../protocol/events.ts';
import { lineEdits, splitLines } from '../../review/lineEdits.ts';

/** Bytes of a file, or `null` where there is none. */
export type FileBytes = Uint8Array | null;

export function sameBytes(a: FileBytes, b: FileBytes): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** UTF-8 text without its byte-order mark; `undefined` for anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not text, which the caller must know and nobody else.
    return undefined;
  }
}

/** Lines that come and go between two contents; binary content has none. */
export function countLines(before: FileBytes, after: FileBytes): Pick<FileCounts, 'added' | 'removed'> {
  const [from, to] = [before, after].map(bytes => splitLines((bytes && decodeText(bytes)) ?? ''));
  const edits = lineEdits(from!, to!);
  return {
    added: edits.reduce((sum, edit) => sum + edit.newCount, 0),
    removed: edits.reduce((sum, edit) => sum + edit.oldCount, 0),
  };
}
