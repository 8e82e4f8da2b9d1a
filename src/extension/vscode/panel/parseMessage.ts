import * as z from 'zod';
import { intentions, type ToHost } from '../../../protocol/intentions.ts';

/**
 * Checks a message of the page; `undefined` when it is none that the host knows. The page shows text from models and
 * files, so nothing that comes from it is believed before it passed here.
 */
export function parseMessage(value: unknown): ToHost | undefined {
  const named = known.safeParse(value);
  return named.success ? intentions[named.data.type].safeParse(value).data : undefined;
}

/** The `type` of a message that was not understood, for the log; never its content. */
export function describeMessage(value: unknown): string {
  const result = z.object({ type: z.string().regex(/^[\w.]{1,60}$/) }).safeParse(value);
  return result.success ? result.data.type : typeof value;
}

const known = z.object({ type: z.object(intentions).keyof() });
