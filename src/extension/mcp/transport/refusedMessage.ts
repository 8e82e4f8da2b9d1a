/* An answer that cannot be taken is answered in the server's place, so that the call ends with a sentence. */

import * as z from 'zod';
import { inEnglish, t } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import type { LongLine } from '../../platform/framing/longLines.ts';

/** Limit of one message; a picture or a recording fits. */
export const maxMessageBytes = 20 * 1024 * 1024;

interface RefusedMessage {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly error: { readonly code: number; readonly message: string; readonly data: Refusal };
}

/** Goes along with the message: who waits for the answer says it in their language. */
const refusal = z.object({
  folio: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tooLarge'), bytes: z.number(), isWhole: z.boolean() }),
    z.object({ kind: z.literal('brokeOff'), why: z.string() }),
  ]),
});

type Refusal = z.infer<typeof refusal>;

export function refusedMessage(id: number, folio: Refusal['folio']): RefusedMessage {
  const message = inEnglish(() => say(folio));
  return { jsonrpc: '2.0', id, error: { code: -32_000, message, data: { folio } } };
}

/** The answer to a request was lost on its way. */
export function isBrokenOff(error: unknown): boolean {
  const parsed = refusal.safeParse(error instanceof Error && 'data' in error ? error.data : undefined);
  return parsed.data?.folio.kind === 'brokeOff';
}

/** From the data of an error; `undefined`: the words are the server's. */
export function sayRefused(data: unknown): string | undefined {
  const parsed = refusal.safeParse(data);
  return parsed.success ? say(parsed.data.folio) : undefined;
}

function say(refused: Refusal['folio']): string {
  if (refused.kind === 'brokeOff')
    return refused.why === '' ? t('Its answer ended early.') : t('Its answer ended early: {0}', refused.why);
  return sayTooLarge(refused);
}

export function sayTooLarge({
  bytes,
  isWhole,
}: {
  readonly bytes: number;
  readonly isWhole: boolean;
}): string {
  const [size, most] = [formatBytes(bytes), formatBytes(maxMessageBytes)];
  return isWhole
    ? t('Its answer has {0}; the limit is {1}. Ask for less.', size, most)
    : t('Its answer has more than {0}; the limit is {1}. Ask for less.', size, most);
}

/**
 * Finds the call that a message answers when only the edges of the message are known: libraries write the id first or
 * last.
 */
export function findId({ head, tail }: LongLine): number | undefined {
  const found = /"id"\s*:\s*(\d+)\s*[,}]/.exec(head) ?? /"id"\s*:\s*(\d+)\s*[,}][^"]*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}
