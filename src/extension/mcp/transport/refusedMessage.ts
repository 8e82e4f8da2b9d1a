/* Builds an error response in place of an unusable answer, so that the call ends with a message. */

import * as z from 'zod';
import { inEnglish, t } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import type { LongLine } from '../../platform/framing/lineSplitter.ts';

/** Limit of one message. A picture or a recording fits. */
export const maxMessageBytes = 20 * 1024 * 1024;

interface RefusedMessage {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly error: { readonly code: number; readonly message: string; readonly data: Refusal };
}

/** Sent as data, so that the receiver can phrase it in its language. */
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

/** True if the answer to a request was lost in transit. */
export function isAnswerLost(error: unknown): boolean {
  const parsed = refusal.safeParse(error instanceof Error && 'data' in error ? error.data : undefined);
  return parsed.data?.folio.kind === 'brokeOff';
}

/** Parses the data of an error. Returns `undefined` if the message is the server's own. */
export function describeRefusedMessage(data: unknown): string | undefined {
  const parsed = refusal.safeParse(data);
  return parsed.success ? say(parsed.data.folio) : undefined;
}

function say(refused: Refusal['folio']): string {
  if (refused.kind === 'brokeOff')
    return refused.why === '' ? t('Its answer ended early.') : t('Its answer ended early: {0}', refused.why);
  return describeTooLarge(refused);
}

export function describeTooLarge({
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

/** Finds the id of the answered call from the ends of a long message. Libraries write the id first or last. */
export function findMessageId({ head, tail }: LongLine): number | undefined {
  const found = /"id"\s*:\s*(\d+)\s*[,}]/.exec(head) ?? /"id"\s*:\s*(\d+)\s*[,}][^"]*$/.exec(tail);
  return found ? Number(found[1]) : undefined;
}
