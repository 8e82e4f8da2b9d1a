import * as z from 'zod';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionStore, StoredSession } from '../../platform/storage.ts';
import { readJournalIndex } from './journalIndex.ts';
import { emptySummary, extendSummary, type SessionSummary, sessionSummarySchema } from './sessionSummary.ts';

export interface SummarisedSession extends StoredSession {
  readonly summary: SessionSummary;
}

const indexEntry = lazySchema(() =>
  z.object({ changedAt: z.number(), size: z.number(), end: z.number(), summary: sessionSummarySchema() }),
);
type IndexEntry = z.infer<ReturnType<typeof indexEntry>>;

export class SessionIndex {
  private readonly store: SessionStore;
  private readonly log: Log;
  /** Absent before the file was read. */
  private entries: ReadonlyMap<string, IndexEntry> | undefined;
  private scanning: Promise<unknown> = Promise.resolve();

  constructor(store: SessionStore, log: Log) {
    this.store = store;
    this.log = log;
  }

  /** Lists every readable session, the newest activity first. An unreadable one must not hide the others. */
  list(): Promise<readonly SummarisedSession[]> {
    // Scans run one after another, so that the second uses results of the first.
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
      // The file was replaced since the summary was created.
      if (piece.start !== end) summary = emptySummary;
      summary = extendSummary(summary, piece.lines);
      end = piece.end;
    }
    return { changedAt, size, end, summary };
  }
}
