import * as z from 'zod';
import { intentionSchemas, type ToHost } from '../../../protocol/intentions.ts';

/**
 * Validates a message of the page; `undefined` if unknown. The page shows text from models and files, so its messages
 * are not trusted before this check.
 */
export function parseMessage(value: unknown): ToHost | undefined {
  const named = known.safeParse(value);
  return named.success ? intentionSchemas[named.data.type].safeParse(value).data : undefined;
}

/** Returns only the `type` of an invalid message for the log, never its content. */
export function describeMessage(value: unknown): string {
  const result = z.object({ type: z.string().regex(/^[\w.]{1,60}$/) }).safeParse(value);
  return result.success ? result.data.type : typeof value;
}

const known = z.object({ type: z.object(intentionSchemas).keyof() });
