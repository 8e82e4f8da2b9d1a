/* Review comments of the user on lines of a file, with the agent's answers. */

import * as z from 'zod';
import { lazySchema } from './lazySchema.ts';
import { maskedText, objectSchema, type RowOf, unmaskedText } from './schemaTable.ts';

const number = z.number();

export const threadSchema = lazySchema(() =>
  objectSchema({
    id: unmaskedText,
    /** Number in the session, from 1. The agent refers to the thread by it. */
    number,
    /** Absolute, with links resolved. */
    path: unmaskedText,
    /** Relative to the first workspace folder if inside it, otherwise absolute. */
    shown: maskedText,
    place: z.object({
      /** From 0. */
      start: number,
      /** 0: the lines were removed; they were before line `start`. */
      count: number,
      /** Text of the first lines when last seen, and of the lines around them, without line breaks. */
      lines: z.array(maskedText),
      above: z.array(maskedText),
      below: z.array(maskedText),
    }),
    /** At least one; the first is the user's. */
    remarks: z.array(
      z.object({ id: unmaskedText, by: z.enum(['person', 'folio']), text: maskedText, at: number }),
    ),
    /**
     * `open`: sent with the next prompt or comments. `sent`: waits for the agent. The others are resolved: the agent
     * changed the lines or answered, or the user closed it.
     */
    status: z.enum(['open', 'sent', 'changed', 'answered', 'closed']),
  }),
);

export type CommentThread = RowOf<ReturnType<typeof threadSchema>>;

export type CommentPlace = CommentThread['place'];

export type ThreadComment = CommentThread['remarks'][number];

export function isResolved({ status }: Pick<CommentThread, 'status'>): boolean {
  return status !== 'open' && status !== 'sent';
}
