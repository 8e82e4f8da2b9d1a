/*
 * Sums up a session's usage by day, project, model and tool, as a fold over its events. The state is plain data, stored
 * with the sessions and continued when a journal grows. It contains sums and open items, but no past events.
 */

import type { ReviewedHunk } from '../../../protocol/changes.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { StatisticsCount } from '../../../protocol/panel/statistics.ts';
import { countsAsCall } from '../../../protocol/state.ts';

/** A row's sums by its key; see `keyOf`. */
export type StatisticsRows = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface FoldedStatistics {
  readonly rows: StatisticsRows;
  readonly project: string;
  readonly model: string;
  /** Calls that have not ended. `asked`: the user was asked; `decided`: and agreed. */
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** Ids of calls that wait for the user, or of the request about a failed model. */
  readonly asking: readonly string[];
  /** Start of the current work and wait, and the turn's waiting time so far. */
  readonly turnSince?: number | undefined;
  readonly waitSince?: number | undefined;
  readonly waitedMs: number;
  /** Lines of hunks that wait for review, by path and hunk. */
  readonly reviews: Readonly<Record<string, OpenReview>>;
  /** Calls that started subagents, which have their own journals. */
  readonly agents: readonly string[];
  /** Calls that moved changes between worktree and home; absent: none. */
  readonly transfers?: readonly string[];
}

interface OpenCall {
  readonly tool: string;
  readonly asked?: boolean | undefined;
  readonly decided?: boolean | undefined;
}

interface OpenReview {
  /** The file was written since, so missing hunks were not accepted. */
  readonly isWritten: boolean;
  readonly hunks: Readonly<Record<string, readonly [added: number, removed: number]>>;
}

export const emptyStatistics: FoldedStatistics = {
  rows: {},
  project: '',
  model: '',
  calls: {},
  asking: [],
  waitedMs: 0,
  reviews: {},
  agents: [],
};

export interface RowKey {
  /** Formatted as `2026-11-29`. */
  readonly day: string;
  /** Absolute. */
  readonly project: string;
  /** Empty: before any model answered. */
  readonly model: string;
  /** Empty: a row about requests and time, not about a tool. */
  readonly tool: string;
}

function keyOf({ day, project, model, tool }: RowKey): string {
  return JSON.stringify([day, project, model, tool]);
}

export function parseRowKey(key: string): RowKey {
  const [day, project, model, tool] = JSON.parse(key) as readonly [string, string, string, string];
  return { day, project, model, tool };
}

interface FoldHow {
  /** The events are of a subagent, whose time is part of the session's. */
  readonly isAgent: boolean;
  /** Returns the day of a time in the user's calendar. */
  readonly dayOf: (at: number) => string;
}

/** An event's type is at the start of its line, so long lines need not be parsed. */
export function isStatistical(lineHead: string): boolean {
  return counting.test(lineHead);
}

const counting =
  /"(?:session\.(?:started|moved|derived)|turn\.(?:started|retried|ended)|model\.(?:asked|decided)|step\.(?:started|retried|ended)|side\.asked|call\.(?:requested|asked|decided|started|ended)|file\.written|review\.changed)"/;

export function foldStatistics(
  state: FoldedStatistics,
  events: readonly SessionEvent[],
  how: FoldHow,
): FoldedStatistics {
  const fold = new Fold(state, how);
  for (const event of events) fold.add(event);
  return fold.state;
}

/** Modifies one copy, so that events do not copy all rows each time. */
class Fold {
  private readonly rows: Record<string, Record<string, number>>;
  private readonly how: FoldHow;
  private current: FoldedStatistics;

  constructor(state: FoldedStatistics, how: FoldHow) {
    this.rows = Object.fromEntries(Object.entries(state.rows).map(([key, row]) => [key, { ...row }]));
    this.current = state;
    this.how = how;
  }

  get state(): FoldedStatistics {
    return { ...this.current, rows: this.rows };
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'session.started':
        this.set({ project: event.folders[0] ?? '', model: event.model });
        return;
      case 'session.moved':
        this.set({ project: event.worktree?.home ?? event.folders[0] ?? '' });
        return;
      case 'session.derived':
        // Everything before was counted in the original session.
        for (const key of Object.keys(this.rows)) delete this.rows[key];
        this.set({ ...emptyStatistics, project: this.current.project, model: this.current.model });
        return;
      case 'turn.started':
        // The answering model is not known yet.
        if (!this.how.isAgent) this.count(event.at, { prompts: 1 }, '', '');
        this.beginTurn(event.at);
        return;
      case 'turn.retried':
        this.beginTurn(event.at);
        return;
      case 'turn.ended':
        this.endTurn(event.lastActiveAt ?? event.at);
        return;
      case 'model.asked':
        this.ask(event.failure.askId ?? event.turnId, event.at);
        return;
      case 'model.decided':
        this.answer(undefined, event.at);
        return;
      case 'step.started':
      case 'step.retried':
        this.set({ model: event.model ?? this.current.model });
        return;
      case 'step.ended':
        if (event.usage) this.spend(event.at, this.current.model, { usage: event.usage, cost: event.cost });
        return;
      case 'side.asked':
        this.spend(event.at, event.model, event);
        return;
      case 'call.requested':
      case 'call.asked':
      case 'call.decided':
      case 'call.started':
      case 'call.ended':
        this.addCall(event);
        return;
      case 'file.written':
        this.noteWriting(event.path);
        return;
      case 'review.changed':
        this.compareReview(event);
        return;
      default:
    }
  }

  private set(change: Partial<FoldedStatistics>): void {
    this.current = { ...this.current, ...change };
  }

  private count(
    at: number,
    counts: Partial<Record<StatisticsCount, number>>,
    tool = '',
    model = this.current.model,
  ) {
    const key = keyOf({ day: this.how.dayOf(at), project: this.current.project, model, tool });
    this.rows[key] ??= {};
    const row = this.rows[key];
    for (const [name, count] of Object.entries(counts)) if (count !== 0) row[name] = (row[name] ?? 0) + count;
  }

  private spend(at: number, model: string, { usage, cost }: Spent): void {
    const { prompt: input, cached, output, thoughts } = usage;
    const unpriced = cost === undefined && input > 0 ? 1 : 0;
    const counts = { requests: 1, input, cached, output: output + thoughts, cost: cost ?? 0, unpriced };
    this.count(at, counts, '', model);
  }

  private beginTurn(at: number): void {
    if (!this.how.isAgent) this.set({ turnSince: at, waitSince: undefined, waitedMs: 0, asking: [] });
  }

  private endTurn(at: number): void {
    const { turnSince, waitSince } = this.current;
    if (turnSince === undefined) return;
    if (waitSince !== undefined) this.endWait(at);
    this.count(at, { workMs: Math.max(0, at - turnSince - this.current.waitedMs) });
    this.set({ turnSince: undefined, waitedMs: 0, asking: [] });
  }

  private ask(id: string, at: number): void {
    const { asking, waitSince, turnSince } = this.current;
    if (turnSince === undefined) return;
    this.set({ asking: [...asking, id], waitSince: waitSince ?? at });
  }

  /** @param id absent: the request is about no call */
  private answer(id: string | undefined, at: number): void {
    const { asking, waitSince, calls } = this.current;
    const left = asking.filter(each => (id === undefined ? each in calls : each !== id));
    this.set({ asking: left });
    if (left.length === 0 && waitSince !== undefined) this.endWait(at);
  }

  private endWait(at: number): void {
    const waitMs = Math.max(0, at - (this.current.waitSince ?? at));
    this.count(at, { waitMs });
    this.set({ waitSince: undefined, waitedMs: this.current.waitedMs + waitMs });
  }

  private addCall(event: CallEvent): void {
    const { callId, at } = event;
    if (event.type === 'call.requested') {
      const { tool } = event;
      if (!countsAsCall({ tool })) return;
      if (tool === 'invoke_agent') this.set({ agents: [...this.current.agents, callId] });
      if (tool === 'bring_home' || tool === 'update_worktree')
        this.set({ transfers: [...(this.current.transfers ?? []), callId] });
      this.setCall(callId, { tool });
      return;
    }
    const call = this.current.calls[callId];
    if (!call) return;
    if (event.type === 'call.asked') {
      this.setCall(callId, { ...call, asked: true });
      this.ask(callId, at);
      return;
    }
    if (this.current.asking.includes(callId)) this.answer(callId, at);
    if (event.type === 'call.decided') {
      const isRefused = event.decision === 'deny';
      const always = event.decision === 'always' ? 1 : 0;
      this.count(at, isRefused ? { refused: 1 } : { allowed: 1, always }, call.tool);
      this.setCall(callId, { ...call, asked: true, decided: !isRefused });
    }
    if (event.type === 'call.ended') this.endCall(call, event);
  }

  private endCall({ tool, asked, decided }: OpenCall, event: SessionEvent<'call.ended'>): void {
    const { outcome, display, durationMs, at, callId } = event;
    const { detail, touched = [], tests } = display;
    const written = outcome !== 'ok' ? [] : detail?.kind === 'diff' ? [detail.diff] : touched;
    const added = written.reduce((sum, file) => sum + file.added, 0);
    const removed = written.reduce((sum, file) => sum + file.removed, 0);
    // Edits approved before writing do not wait for review; changes of commands do.
    const isKept = decided === true && detail?.kind === 'diff';
    const counts = {
      calls: 1,
      failed: outcome === 'failed' ? 1 : 0,
      callMs: durationMs ?? 0,
      unasked: !asked && outcome !== 'denied' ? 1 : 0,
      refusedByRule: !asked && outcome === 'denied' ? 1 : 0,
      testsPassed: tests?.passed ?? 0,
      testsFailed: tests?.failed ?? 0,
      added,
      removed,
      keptAdded: isKept ? added : 0,
      keptRemoved: isKept ? removed : 0,
    };
    this.count(at, counts, tool);
    const { [callId]: _ended, ...calls } = this.current.calls;
    this.set({ calls });
  }

  private setCall(callId: string, call: OpenCall): void {
    this.set({ calls: { ...this.current.calls, [callId]: call } });
  }

  private noteWriting(path: string): void {
    const review = this.current.reviews[path];
    if (review) this.set({ reviews: { ...this.current.reviews, [path]: { ...review, isWritten: true } } });
  }

  /** A hunk that disappears without a write was accepted. */
  private compareReview({ path, review, at }: SessionEvent<'review.changed'>): void {
    const { [path]: before, ...others } = this.current.reviews;
    const present = new Set(review?.hunks.map(({ id }) => String(id)));
    if (before && !before.isWritten) {
      for (const [id, [keptAdded, keptRemoved]] of Object.entries(before.hunks))
        if (!present.has(id)) this.count(at, { keptAdded, keptRemoved });
    }
    const pending = review?.hunks.filter(hunk => this.isWaiting(hunk)) ?? [];
    const lines = pending.map(({ id, count, baseCount }) => [String(id), [count, baseCount]] as const);
    const hunks = Object.fromEntries(review?.by === undefined ? lines : []);
    this.set({ reviews: review ? { ...others, [path]: { isWritten: false, hunks } } : others });
  }

  /** Changes from a worktree were counted where they were written. */
  private isWaiting({ status, gone, writers = [] }: ReviewedHunk): boolean {
    const { transfers = [] } = this.current;
    const isMoved = writers.some(each => 'callId' in each && transfers.includes(each.callId));
    return status === 'pending' && !gone && !isMoved;
  }
}

type Spent = Pick<SessionEvent<'side.asked'>, 'usage' | 'cost'>;

type CallEvent = SessionEvent<
  'call.requested' | 'call.asked' | 'call.decided' | 'call.started' | 'call.ended'
>;
