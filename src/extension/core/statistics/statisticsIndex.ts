/* Sums of all stored sessions, without deleted ones. */

import * as z from 'zod';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { headOf } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import type { JournalChunk, SessionStore, StoredSession } from '../../platform/storage.ts';
import { readJournalIndex } from '../recording/journalIndex.ts';
import { parseEvent } from '../recording/parseEvent.ts';
import {
  emptyStatistics,
  type FoldedStatistics,
  foldStatistics,
  isStatistical,
  type StatisticsRows,
} from './foldStatistics.ts';

const counts = lazySchema(() => z.record(z.string(), z.number()));
const folded = lazySchema(() =>
  z.object({
    rows: z.record(z.string(), counts()),
    project: z.string(),
    model: z.string(),
    calls: z.record(
      z.string(),
      z.object({ tool: z.string(), asked: z.boolean().optional(), decided: z.boolean().optional() }),
    ),
    asking: z.array(z.string()),
    turnSince: z.number().optional(),
    waitSince: z.number().optional(),
    waitedMs: z.number(),
    reviews: z.record(
      z.string(),
      z.object({
        isWritten: z.boolean(),
        hunks: z.record(z.string(), z.tuple([z.number(), z.number()])),
      }),
    ),
    agents: z.array(z.string()),
  }),
);
const indexEntry = lazySchema(() =>
  z.object({
    changedAt: z.number(),
    size: z.number(),
    end: z.number(),
    state: folded(),
    /** Final sums of subagents whose calls have ended, and current sums of others. */
    agents: z.record(z.string(), z.object({ isOver: z.boolean(), rows: z.record(z.string(), counts()) })),
  }),
);
type IndexEntry = z.infer<ReturnType<typeof indexEntry>>;

export interface SessionRows {
  /** Rows of the session and of its subagents. */
  readonly all: readonly StatisticsRows[];
}

export interface LoadedStatistics {
  readonly sessions: readonly SessionRows[];
  readonly unreadable: number;
}

interface StatisticsPorts {
  readonly store: Pick<
    SessionStore,
    'list' | 'scanJournal' | 'scanAgentJournal' | 'readIndex' | 'writeIndex'
  >;
  readonly log: Pick<Log, 'warn'>;
  /** Returns the day of a time in the user's calendar. */
  readonly dayOf: (at: number) => string;
}

export async function readStatistics(ports: StatisticsPorts): Promise<LoadedStatistics> {
  const index = {
    name: 'statistics',
    version: 1,
    entry: indexEntry,
    readers: 4,
    titleOf: (sessionId: string) => `The statistics of session ${sessionId}`,
    read: (session: StoredSession, grown?: IndexEntry) => readSums(ports, session, grown),
  } as const;
  const { stored, entries } = await readJournalIndex(ports, index);
  return {
    sessions: [...entries.values()].map(({ state, agents }) => ({
      all: [state.rows, ...Object.values(agents).map(({ rows }) => rows)],
    })),
    unreadable: stored.length - entries.size,
  };
}

async function readSums(
  ports: StatisticsPorts,
  { sessionId, changedAt, size }: StoredSession,
  grown: IndexEntry | undefined,
): Promise<IndexEntry> {
  let state: FoldedStatistics = grown?.state ?? emptyStatistics;
  let agents = grown?.agents ?? {};
  let end = grown?.end ?? 0;
  for await (const piece of ports.store.scanJournal(sessionId, end)) {
    // The file was replaced since the sums were computed.
    if (piece.start !== end) [state, agents] = [emptyStatistics, {}];
    state = foldPiece(state, piece, ports, false);
    end = piece.end;
  }
  const read = state.agents.map(async callId => {
    const before = agents[callId];
    if (before?.isOver) return [callId, before] as const;
    const isOver = !(callId in state.calls);
    return [callId, { isOver, rows: await readAgent(ports, sessionId, callId, state) }] as const;
  });
  const entry = { changedAt, size, end, state, agents: Object.fromEntries(await Promise.all(read)) };
  // The schema has mutable types for the same plain data.
  return entry as IndexEntry;
}

async function readAgent(
  ports: StatisticsPorts,
  sessionId: string,
  callId: string,
  { project }: FoldedStatistics,
): Promise<StatisticsRows> {
  let state: FoldedStatistics = { ...emptyStatistics, project };
  for await (const piece of ports.store.scanAgentJournal(sessionId, callId))
    state = { ...foldPiece(state, piece, ports, true), project };
  return state.rows;
}

function foldPiece(
  state: FoldedStatistics,
  { lines }: JournalChunk,
  { dayOf }: StatisticsPorts,
  isAgent: boolean,
): FoldedStatistics {
  const events = lines
    .filter(line => isStatistical(headOf(line, 300)))
    .flatMap(line => parseEvent(line) ?? []);
  return foldStatistics(state, events, { isAgent, dayOf });
}
