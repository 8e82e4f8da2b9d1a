/*
 * Sums up the spending of all sessions of a folder since midnight, in any process. It folds their journals and reads
 * only what was appended.
 */

import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { JournalChunk, SessionStore } from '../../platform/storage.ts';
import { parseEvent } from './parseEvent.ts';

interface Counted {
  /** Bytes of the journal that were read. */
  readonly end: number;
  readonly cost: number;
  /** Costs of subagents, by their call. */
  readonly agents: ReadonlyMap<string, number>;
  readonly changedAt: number;
}

const nothing: Counted = { end: 0, cost: 0, agents: new Map(), changedAt: 0 };

export class DaySpending {
  private readonly store: Pick<SessionStore, 'list' | 'scanJournal' | 'scanAgentJournal'>;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly log: Pick<Log, 'warn'>;
  private day = 0;
  private sessions = new Map<string, Counted>();
  private reading: Promise<void> | undefined;

  constructor(
    store: Pick<SessionStore, 'list' | 'scanJournal' | 'scanAgentJournal'>,
    clock: Pick<Clock, 'now'>,
    log: Pick<Log, 'warn'>,
  ) {
    this.store = store;
    this.clock = clock;
    this.log = log;
  }

  /** US dollars as of the last `read`, as far as prices are known. */
  get used(): number {
    return sum([...this.sessions.values()].map(({ cost, agents }) => cost + sum([...agents.values()])));
  }

  /** Never rejects: unreadable journals do not count. */
  read(): Promise<void> {
    this.reading ??= this.readAll()
      .catch(error => this.log.warn(`What sessions spent today is not known: ${messageOf(error)}`))
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private async readAll(): Promise<void> {
    const day = new Date(this.clock.now()).setHours(0, 0, 0, 0);
    if (day !== this.day) this.sessions = new Map();
    this.day = day;
    for (const { sessionId, changedAt, size } of await this.store.list()) {
      const known = this.sessions.get(sessionId) ?? nothing;
      // A subagent appends to its own journal while the session's stays the same.
      const isSame = known.end === size && known.changedAt === changedAt && known.agents.size === 0;
      if (changedAt < day || isSame) continue;
      this.sessions.set(sessionId, { ...(await this.count(sessionId, known)), changedAt });
    }
  }

  private async count(sessionId: string, known: Counted): Promise<Omit<Counted, 'changedAt'>> {
    let { end, cost } = known;
    const sent = new Set(known.agents.keys());
    for await (const piece of this.store.scanJournal(sessionId, end)) {
      // The file was replaced since the last read.
      if (piece.start !== end) cost = 0;
      cost += this.costOf(piece);
      for (const callId of piece.lines.flatMap(sentAgent)) sent.add(callId);
      end = piece.end;
    }
    const agents = new Map<string, number>();
    for (const callId of sent) {
      agents.set(callId, 0);
      for await (const piece of this.store.scanAgentJournal(sessionId, callId))
        agents.set(callId, agents.get(callId)! + this.costOf(piece));
    }
    return { end, cost, agents };
  }

  private costOf({ lines }: JournalChunk): number {
    return sum(
      lines.filter(spends).map(line => {
        const event = parseEvent(line);
        const isMeant = event?.type === 'step.ended' || event?.type === 'side.asked';
        return isMeant && event.at >= this.day ? (event.cost ?? 0) : 0;
      }),
    );
  }
}

/** An event's type is at the start of its line. */
function spends(line: string): boolean {
  return /^\{"type":"(?:step\.ended|side\.asked)"/.test(line);
}

function sentAgent(line: string): readonly string[] {
  if (!line.startsWith('{"type":"call.requested"') || !line.includes('"invoke_agent"')) return [];
  const event = parseEvent(line);
  return event?.type === 'call.requested' && event.tool === 'invoke_agent' ? [event.callId] : [];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, each) => total + each, 0);
}
