/*
 * The sums of all sessions of a store. A cache, as the index of summaries is: of a session whose journal has not
 * changed nothing is read, and of one that has grown only what was added. A session that is deleted counts no longer.
 */

import * as z from 'zod';
import { later } from '../../../protocol/later.ts';
import { messageOf } from '../../base/errors.ts';
import { headOf } from '../../base/text.ts';
import type { Log } from '../../platform/log.ts';
import type { JournalPiece, SessionStore, StoredSession } from '../../platform/storage.ts';
import { parseEvent } from '../recording/parseEvent.ts';
import {
  emptyStatistics,
  type FoldedStatistics,
  foldStatistics,
  isStatistical,
  type Rows,
} from './foldStatistics.ts';

const version = 1;
const counts = later(() => z.record(z.string(), z.number()));
const folded = later(() =>
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
const indexEntry = later(() =>
  z.object({
    changedAt: z.number(),
    size: z.number(),
    /** Bytes of the journal that are folded. */
    end: z.number(),
    state: folded(),
    /** Sums of the subagents whose calls have ended, which change no more, and of the others as they were. */
    agents: z.record(z.string(), z.object({ isOver: z.boolean(), rows: z.record(z.string(), counts()) })),
  }),
);
const indexFile = later(() =>
  z.object({ version: z.literal(version), sessions: z.record(z.string(), indexEntry()) }),
);
type IndexEntry = z.infer<ReturnType<typeof indexEntry>>;

/** Journals that are read at once. */
const readers = 4;

export interface SessionRows {
  /** Rows of the session and of its subagents. */
  readonly all: readonly Rows[];
}

export interface ReadStatistics {
  readonly sessions: readonly SessionRows[];
  readonly unreadable: number;
}

interface StatisticsPorts {
  readonly store: Pick<
    SessionStore,
    'list' | 'scanJournal' | 'scanAgentJournal' | 'readIndex' | 'writeIndex'
  >;
  readonly log: Pick<Log, 'warn'>;
  /** The day of a time, as the user's calendar has it. */
  readonly dayOf: (at: number) => string;
}

export async function readStatistics(ports: StatisticsPorts): Promise<ReadStatistics> {
  const { store } = ports;
  const stored = await store.list();
  const known = parseIndex(await store.readIndex('statistics'));
  const entries = new Map<string, IndexEntry>();
  const waiting = stored.values();
  const read = async () => {
    for (const session of waiting) {
      const entry = await findEntry(ports, session, known.get(session.sessionId));
      if (entry) entries.set(session.sessionId, entry);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  if (entries.size !== known.size || [...entries].some(([id, entry]) => known.get(id) !== entry))
    await writeEntries(ports, entries);
  return {
    sessions: [...entries.values()].map(({ state, agents }) => ({
      all: [state.rows, ...Object.values(agents).map(({ rows }) => rows)],
    })),
    unreadable: stored.length - entries.size,
  };
}

async function findEntry(
  ports: StatisticsPorts,
  { sessionId, changedAt, size }: StoredSession,
  known: IndexEntry | undefined,
): Promise<IndexEntry | undefined> {
  if (known?.size === size && known.changedAt === changedAt) return known;
  const grown = known !== undefined && size > known.size && known.end > 0 ? known : undefined;
  let state: FoldedStatistics = grown?.state ?? emptyStatistics;
  let agents = grown?.agents ?? {};
  let end = grown?.end ?? 0;
  try {
    for await (const piece of ports.store.scanJournal(sessionId, end)) {
      // It is another file than the sums are of.
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
    // The state is plain data, of which the schema only has writable types.
    return entry as IndexEntry;
  } catch (error) {
    ports.log.warn(`The statistics of session ${sessionId} could not be read: ${messageOf(error)}`);
    return undefined;
  }
}

async function readAgent(
  ports: StatisticsPorts,
  sessionId: string,
  callId: string,
  { project }: FoldedStatistics,
): Promise<Rows> {
  let state: FoldedStatistics = { ...emptyStatistics, project };
  for await (const piece of ports.store.scanAgentJournal(sessionId, callId))
    state = { ...foldPiece(state, piece, ports, true), project };
  return state.rows;
}

function foldPiece(
  state: FoldedStatistics,
  { lines }: JournalPiece,
  { dayOf }: StatisticsPorts,
  isAgent: boolean,
): FoldedStatistics {
  const events = lines
    .filter(line => isStatistical(headOf(line, 300)))
    .flatMap(line => parseEvent(line) ?? []);
  return foldStatistics(state, events, { isAgent, dayOf });
}

async function writeEntries(
  { store, log }: StatisticsPorts,
  entries: ReadonlyMap<string, IndexEntry>,
): Promise<void> {
  const text = JSON.stringify({ version, sessions: Object.fromEntries(entries) });
  try {
    await store.writeIndex('statistics', text);
  } catch (error) {
    // The sums are right without it, only slower next time.
    log.warn(`The index of the statistics could not be written: ${messageOf(error)}`);
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
