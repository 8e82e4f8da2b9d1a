/*
 * Summaries of all sessions, so that the history need not read their journals. It is a cache: an entry counts only
 * for a journal of just this size and time; of one that has grown, what was added is read; everything else is read
 * again. Windows write it over one another without harm, since each has read every session.
 */

import * as z from 'zod';
import { later } from '../../../protocol/later.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore, StoredSession } from '../../platform/storage.ts';
import { addLines, emptySummary, type SessionSummary, sessionSummary } from './sessionSummary.ts';

export interface SummarisedSession extends StoredSession {
  readonly summary: SessionSummary;
}

const version = 2;
const indexEntry = later(() =>
  z.object({
    changedAt: z.number(),
    size: z.number(),
    /** Bytes of the journal that the summary is of. */
    end: z.number(),
    summary: sessionSummary(),
  }),
);
const indexFile = later(() =>
  z.object({ version: z.literal(version), sessions: z.record(z.string(), indexEntry()) }),
);
type IndexEntry = z.infer<ReturnType<typeof indexEntry>>;

/** Journals that are read at once. */
const readers = 8;

export class SessionIndex {
  private readonly store: SessionStore;
  private readonly log: Log;
  /** Absent until the file was looked for. */
  private entries: ReadonlyMap<string, IndexEntry> | undefined;
  private scanning: Promise<unknown> = Promise.resolve();

  constructor(store: SessionStore, log: Log) {
    this.store = store;
    this.log = log;
  }

  /** Every session that can be read, newest work first. One that cannot be read must not hide the others. */
  list(): Promise<readonly SummarisedSession[]> {
    // One look after the other: the second finds what the first has read.
    const result = this.scanning.then(() => this.scan());
    this.scanning = result.catch(() => undefined);
    return result;
  }

  private async scan(): Promise<readonly SummarisedSession[]> {
    const stored = await this.store.list();
    const known = this.entries ?? parseIndex(await this.store.readIndex('sessions'));
    const entries = new Map<string, IndexEntry>();
    const waiting = stored.values();
    const read = async () => {
      for (const session of waiting) {
        const entry = await this.findEntry(session, known.get(session.sessionId));
        if (entry) entries.set(session.sessionId, entry);
      }
    };
    await Promise.all(Array.from({ length: readers }, read));
    this.entries = entries;
    if (entries.size !== known.size || [...entries].some(([id, entry]) => known.get(id) !== entry))
      await this.write(entries);
    const found = stored.flatMap(session => {
      const summary = entries.get(session.sessionId)?.summary;
      return summary ? [{ ...session, changedAt: summary.workedAt || session.changedAt, summary }] : [];
    });
    return found.sort((a, b) => b.changedAt - a.changedAt);
  }

  private async findEntry(
    session: StoredSession,
    known: IndexEntry | undefined,
  ): Promise<IndexEntry | undefined> {
    const { sessionId, changedAt, size } = session;
    if (known?.size === size && known.changedAt === changedAt) return known;
    const grown = known !== undefined && size > known.size && known.end > 0;
    let { end, summary } = grown ? known : { end: 0, summary: emptySummary };
    try {
      for await (const piece of this.store.scanJournal(sessionId, end)) {
        // It is another file than the summary is of.
        if (piece.start !== end) summary = emptySummary;
        summary = addLines(summary, piece.lines);
        end = piece.end;
      }
      return { changedAt, size, end, summary };
    } catch (error) {
      this.log.warn(`Session ${sessionId} could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async write(entries: ReadonlyMap<string, IndexEntry>): Promise<void> {
    try {
      const text = JSON.stringify({ version, sessions: Object.fromEntries(entries) });
      await this.store.writeIndex('sessions', text);
    } catch (error) {
      // The list is right without it, only slower next time.
      this.log.warn(`The index of the sessions could not be written: ${messageOf(error)}`);
    }
  }
}

/** Empty for a file that is torn, of another version, or not there. */
function parseIndex(text: string | undefined): ReadonlyMap<string, IndexEntry> {
  try {
    const { success, data } = indexFile().safeParse(JSON.parse(text ?? 'null'));
    return new Map(success ? Object.entries(data.sessions) : []);
  } catch {
    // No JSON: it is made again.
    return new Map();
  }
}
