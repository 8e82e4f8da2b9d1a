/* An answer that cannot be taken is answered in the server's place, so that the call ends with a sentence. */

import { formatBytes } from '../../base/text.ts';
import type { LongLine } from './longLines.ts';

/** Limit of one message; a picture or a recording fits. */
export const mostMessageBytes = 20 * 1024 * 1024;

interface RefusedMessage {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly error: { readonly code: number; readonly message: string };
}

export function refusedMessage(id: number, message: string): RefusedMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } };
}

export function tooLarge(bytes: number): string {
  return `Its answer has ${formatBytes(bytes)}; at most ${formatBytes(mostMessageBytes)} are taken. Ask for less.`;
}

/**
 * Finds the call that a message answers when only the edges of the message are known: libraries write the id first or
 * last.
 */
export function findId({ head, tail }: LongLine): number | undefined {
  const found = /"id"\s*:\s*(\d+)\s*[,}]/.exec(head) ?? /"id"\s*:\s*(\d+)\s*[,}][^"]*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}
