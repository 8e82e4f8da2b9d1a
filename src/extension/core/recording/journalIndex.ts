/*
 * Cache of data computed from all journals. An entry is valid for a journal of the same size and time. If a journal has
 * grown, only the new part is read; otherwise it is reread. Windows may overwrite each other's cache, since each has
 * read all sessions.
 */

import * as z from 'zod';
import { messageOf } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore, StoredSession } from '../../platform/storage.ts';

interface JournalEntry {
  readonly changedAt: number;
  readonly size: number;
  /** Bytes of the journal that were read. */
  readonly end: number;
}

interface JournalIndex<Entry extends JournalEntry> {
  readonly name: Parameters<SessionStore['writeIndex']>[0];
  readonly version: number;
  readonly entry: () => z.ZodType<Entry>;
  /** Number of journals read concurrently. */
  readonly readers: number;
  /** The start of a sentence about computing one. */
  readonly titleOf: (sessionId: string) => string;
  /** @param grown the entry before lines were appended */
  read(session: StoredSession, grown: Entry | undefined): Promise<Entry>;
}

type IndexStore = Pick<SessionStore, 'list' | 'readIndex' | 'writeIndex'>;

/**
 * Returns the sessions and their entries by id, without unreadable ones.
 * @param before entries of the last call; absent: reads the file
 */
export async function readJournalIndex<Entry extends JournalEntry>(
  { store, log }: { readonly store: IndexStore; readonly log: Pick<Log, 'warn'> },
  index: JournalIndex<Entry>,
  before?: ReadonlyMap<string, Entry>,
): Promise<{ readonly stored: readonly StoredSession[]; readonly entries: ReadonlyMap<string, Entry> }> {
  const stored = await store.list();
  const known = before ?? parseIndex(index, await store.readIndex(index.name));
  const entries = new Map<string, Entry>();
  const waiting = stored.values();
  const read = async () => {
    for (const session of waiting) {
      const { sessionId, size, changedAt } = session;
      const entry = known.get(sessionId);
      if (entry?.size === size && entry.changedAt === changedAt) entries.set(sessionId, entry);
      else
        try {
          const grown = entry && size > entry.size && entry.end > 0 ? entry : undefined;
          entries.set(sessionId, await index.read(session, grown));
        } catch (error) {
          log.warn(`${index.titleOf(sessionId)} could not be read: ${messageOf(error)}`);
        }
    }
  };
  await Promise.all(Array.from({ length: index.readers }, read));
  if (entries.size !== known.size || [...entries].some(([id, entry]) => known.get(id) !== entry))
    try {
      const text = JSON.stringify({ version: index.version, sessions: Object.fromEntries(entries) });
      await store.writeIndex(index.name, text);
    } catch (error) {
      // Without the file the next call is only slower.
      log.warn(`The index of the ${index.name} could not be written: ${messageOf(error)}`);
    }
  return { stored, entries };
}

/** Returns an empty map for a damaged, missing or incompatible file. */
function parseIndex<Entry>(
  { version, entry }: { readonly version: number; readonly entry: () => z.ZodType<Entry> },
  text: string | undefined,
): ReadonlyMap<string, Entry> {
  const file = z.object({ version: z.literal(version), sessions: z.record(z.string(), entry()) });
  const { success, data } = file.safeParse(tryParseJson(text ?? 'null'));
  return new Map(success ? Object.entries(data.sessions) : []);
}
