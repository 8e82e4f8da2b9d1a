/* Summaries of all sessions, so that the history need not read their journals. */

import * as z from 'zod';
import { later } from '../../../protocol/later.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore, StoredSession } from '../../platform/storage.ts';
import { readJournalIndex } from './journalIndex.ts';
import { addLines, emptySummary, type SessionSummary, sessionSummary } from './sessionSummary.ts';

export interface SummarisedSession extends StoredSession {
  readonly summary: SessionSummary;
}

const indexEntry = later(() =>
  z.object({ changedAt: z.number(), size: z.number(), end: z.number(), summary: sessionSummary() }),
);
type IndexEntry = z.infer<ReturnType<typeof indexEntry>>;

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
    const index = {
      name: 'sessions',
      version: 2,
      entry: indexEntry,
      readers: 8,
      titleOf: (sessionId: string) => `Session ${sessionId}`,
      read: (session: StoredSession, grown?: IndexEntry) => this.summarise(session, grown),
    } as const;
    const { store, log } = this;
    const { stored, entries } = await readJournalIndex({ store, log }, index, this.entries);
    this.entries = entries;
    const found = stored.flatMap(session => {
      const summary = entries.get(session.sessionId)?.summary;
      return summary ? [{ ...session, changedAt: summary.workedAt || session.changedAt, summary }] : [];
    });
    return found.sort((a, b) => b.changedAt - a.changedAt);
  }

  private async summarise(
    { sessionId, changedAt, size }: StoredSession,
    grown: IndexEntry | undefined,
  ): Promise<IndexEntry> {
    let { end, summary } = grown ?? { end: 0, summary: emptySummary };
    for await (const piece of this.store.scanJournal(sessionId, end)) {
      // It is another file than the summary is of.
      if (piece.start !== end) summary = emptySummary;
      summary = addLines(summary, piece.lines);
      end = piece.end;
    }
    return { changedAt, size, end, summary };
  }
}
