/* File format of the inbox: pending entries, decisions, and how far each session was reviewed. */

import * as z from 'zod';
import { t } from '../../../../protocol/language.ts';
import { lazySchema } from '../../../../protocol/lazySchema.ts';
import type { InboxEntry } from '../../../../protocol/panel/inbox.ts';
import { LocalizedError } from '../../../base/errors.ts';
import { tryParseJson } from '../../../base/record.ts';

export interface InboxContent {
  /** Oldest first. */
  readonly entries: readonly InboxEntry[];
  /** Original texts of accepted and dropped proposals, the newest last. */
  readonly decided: readonly string[];
  /** Time of the latest reviewed prompt by session, milliseconds since the Unix epoch. */
  readonly seen: Readonly<Record<string, number>>;
  /** The number of the next entry. */
  readonly next: number;
}

/** Nothing more is proposed while this many entries wait. */
export const maxPendingEntries = 30;

const maxDecided = 500;
const maxSessions = 500;
const version = 1;

const emptyInbox: InboxContent = { entries: [], decided: [], seen: {}, next: 1 };

const evidence = lazySchema(() =>
  z.array(
    z.object({ source: z.enum(['prompt', 'call', 'output']), number: z.int().min(1), quote: z.string() }),
  ),
);

const content = lazySchema(() => {
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
 * Throws a sentence for a damaged text or a later version, since overwriting it would lose the user's data.
 * @param path for the message
 */
export function parseInbox(text: string | undefined, path: string): InboxContent {
  if (text === undefined) return emptyInbox;
  const parsed = content().safeParse(tryParseJson(text));
  if (parsed.success) return parsed.data;
  throw new LocalizedError(() =>
    t('{0} is damaged or was written by a later version of Folio. Update Folio, or delete the file.', path),
  );
}

/** Drops the oldest decisions and sessions beyond the limits. */
export function formatInbox({ entries, decided, seen, next }: InboxContent): string {
  const newest = Object.entries(seen)
    .sort(([, a], [, b]) => a - b)
    .slice(-maxSessions);
  const kept = { entries, decided: decided.slice(-maxDecided), seen: Object.fromEntries(newest), next };
  return `${JSON.stringify({ version, ...kept }, null, 1)}\n`;
}
