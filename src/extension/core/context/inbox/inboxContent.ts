/* The text of an inbox: what waits, what was decided on, and how far each session was looked through. */

import * as z from 'zod';
import { t } from '../../../../protocol/language.ts';
import { later } from '../../../../protocol/later.ts';
import type { InboxEntry } from '../../../../protocol/panel/inbox.ts';
import { SpokenError } from '../../../base/errors.ts';
import { tryParseJson } from '../../../base/record.ts';

export interface InboxContent {
  /** Oldest first. */
  readonly entries: readonly InboxEntry[];
  /** Texts that were accepted or dropped, as they were proposed, the newest last. */
  readonly decided: readonly string[];
  /** By session: when the newest prompt was sent that was reviewed, milliseconds since the Unix epoch. */
  readonly seen: Readonly<Record<string, number>>;
  /** The number of the next entry. */
  readonly next: number;
}

/** More are not proposed before the user has decided on some. */
export const maxPendingEntries = 30;

const maxDecided = 500;
const maxSessions = 500;
const version = 1;

const emptyInbox: InboxContent = { entries: [], decided: [], seen: {}, next: 1 };

const evidence = later(() =>
  z.array(
    z.object({ source: z.enum(['prompt', 'call', 'output']), number: z.int().min(1), quote: z.string() }),
  ),
);

const content = later(() => {
  const head = {
    number: z.int().min(1),
    at: z.number(),
    sessionId: z.string(),
    session: z.string(),
    text: z.string(),
    evidence: evidence(),
  };
  const entry = z.discriminatedUnion('kind', [
    z.object({ ...head, kind: z.literal('fact'), onlyFromOutput: z.literal(true).optional() }),
    z.object({ ...head, kind: z.literal('skill'), name: z.string(), description: z.string() }),
  ]);
  return z.object({
    version: z.literal(version),
    entries: z.array(entry),
    decided: z.array(z.string()),
    seen: z.record(z.string(), z.number()),
    next: z.int().min(1),
  });
});

/**
 * Throws a sentence for a text that is damaged or of a later version: it is the user's, and writing over it would lose it.
 * @param path for the sentence
 */
export function parseInbox(text: string | undefined, path: string): InboxContent {
  if (text === undefined) return emptyInbox;
  const parsed = content().safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new SpokenError(() =>
    t('{0} is damaged or was written by a later version of Folio. Update Folio, or delete the file.', path),
  );
}

/** Forgets the oldest decisions and sessions beyond what is kept. */
export function formatInbox({ entries, decided, seen, next }: InboxContent): string {
  const newest = Object.entries(seen)
    .sort(([, a], [, b]) => a - b)
    .slice(-maxSessions);
  const kept = { entries, decided: decided.slice(-maxDecided), seen: Object.fromEntries(newest), next };
  return `${JSON.stringify({ version, ...kept }, null, 1)}\n`;
}
