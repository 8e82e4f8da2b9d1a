/* Comments of a user on lines of a file, and the agent's answers. */

import * as z from 'zod';
import { later } from './later.ts';
import { exact, type RowOf, record, words } from './table.ts';

const number = z.number();

export const thread = later(() =>
  record({
    id: exact,
    /** Unique in the session, from 1: the agent names it by this. */
    number,
    /** Absolute and real. */
    path: exact,
    /** Relative to the first workspace folder where it lies in it; else absolute. */
    shown: words,
    place: z.object({
      /** From 0. */
      start: number,
      /** 0: the lines are gone, and stood before line `start`. */
      count: number,
      /** How the first of the lines read when they were last seen, and the lines around them. Without line breaks. */
      lines: z.array(words),
      above: z.array(words),
      below: z.array(words),
    }),
    /** Never empty; the first is the user's. */
    remarks: z.array(z.object({ id: exact, by: z.enum(['person', 'folio']), text: words, at: number })),
    /**
     * `open`: goes to the agent with what is sent next. `sent`: waits for the agent. The others are resolved: the agent
     * changed the lines, or answered, or the user closed it.
     */
    status: z.enum(['open', 'sent', 'changed', 'answered', 'closed']),
  }),
);

export type CommentThread = RowOf<ReturnType<typeof thread>>;

export type CommentPlace = CommentThread['place'];

export type Remark = CommentThread['remarks'][number];

export function isResolved({ status }: Pick<CommentThread, 'status'>): boolean {
  return status !== 'open' && status !== 'sent';
}
