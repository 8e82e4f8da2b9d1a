/*
 * Budgets of a prompt, a session and a day. Spending is folded from events, so that resumed sessions know it. Limits
 * come from the settings, and changes apply from the next step. Continuing after a limit grants the same amount again.
 * Working time excludes waiting for the user, unlike a chapter's `activeMs`. A day's spending covers all sessions, so
 * it is measured, not folded.
 *
 * tokens   of prompts outside of the provider's cache, and of answers. Cached tokens cost a fraction and dominate long
 *          turns, so they would hide how much work was done.
 * money    US dollars, of the answers whose price is known.
 * time     milliseconds that the agent worked, without waiting for the user.
 */

import type { BudgetKind, ReachedBudget } from '../../../protocol/budgets.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { AgentEvent } from '../../../protocol/fold/agents.ts';
import { addSpending, totalTokens } from '../../../protocol/fold/spending.ts';
import { noUsage, type Spending } from '../../../protocol/state.ts';
import type { TurnLimits } from '../limitSettings.ts';

interface BudgetCheck {
  readonly reached?: ReachedBudget;
  /** Almost used up; each is reported once. */
  readonly near: readonly ReachedBudget[];
}

interface Spent {
  readonly steps: number;
  readonly time: number;
  readonly spending: Spending;
}

/** An answer without usage counts as zero. */
type More = Partial<Pick<Spent, 'steps' | 'time'>> & {
  readonly spending?: Partial<Pick<Spending, 'usage' | 'cost'>>;
};

const nothing: Spent = { steps: 0, time: 0, spending: { usage: noUsage } };

const warnedFrom = 0.8;

export class Budgets {
  private readonly limits: Pick<TurnLimits, 'current'>;
  private turn: Spent = nothing;
  private session: Spent = nothing;
  private since: number | undefined;
  private askedFor: string | undefined;
  private ended: ReachedBudget | undefined;
  /** How often each limit was granted. */
  private readonly granted = new Map<string, number>();
  private readonly warned = new Set<string>();

  constructor(limits: Pick<TurnLimits, 'current'>) {
    this.limits = limits;
  }

  /** Call with every event. */
  fold(event: SessionEvent): void {
    switch (event.type) {
      case 'turn.started':
        this.turn = nothing;
        this.forget('turn');
        this.ended = undefined;
        this.since = event.at;
        return;
      case 'turn.retried':
        this.grant();
        this.since = event.at;
        return;
      case 'turn.ended':
        this.countTime(event.lastActiveAt ?? event.at);
        this.askedFor = undefined;
        this.ended = event.end.kind === 'budget' ? event.end.budget : undefined;
        return;
      case 'call.asked':
        this.countTime(event.at);
        this.askedFor = event.callId;
        return;
      case 'model.asked':
        this.countTime(event.at);
        return;
      case 'model.decided':
        this.since = event.at;
        return;
      case 'call.decided':
      case 'call.ended':
        if (event.callId !== this.askedFor) return;
        this.askedFor = undefined;
        this.since = event.at;
        return;
      case 'step.ended':
        this.add({ steps: 1, spending: event });
        return;
      case 'side.asked':
        this.add({ spending: event });
        return;
    }
  }

  /** Subagents spend the session's budget and may wait for its user. Their steps have separate limits. */
  foldAgent({ event }: AgentEvent): void {
    switch (event.type) {
      case 'step.ended':
      case 'side.asked':
        this.add({ spending: event });
        return;
      case 'call.asked':
      case 'call.decided':
      case 'call.ended':
        this.fold(event);
        return;
    }
  }

  /** @param now milliseconds since the Unix epoch */
  check(now: number): BudgetCheck {
    const near: ReachedBudget[] = [];
    for (const budget of this.standing(now)) {
      if (budget.used >= budget.limit) return { reached: budget, near: [] };
      if (budget.used < budget.limit * warnedFrom || this.warned.has(nameOf(budget))) continue;
      near.push(budget);
    }
    for (const budget of near) this.warned.add(nameOf(budget));
    return { near };
  }

  /** Call after past events were folded: their warnings were shown before. */
  resume(now: number): void {
    for (const budget of this.standing(now)) {
      if (budget.used >= budget.limit * warnedFrom) this.warned.add(nameOf(budget));
    }
  }

  private standing(now: number): readonly ReachedBudget[] {
    const running = this.since === undefined ? 0 : Math.max(0, now - this.since);
    return this.limits.current.budgets.map(({ kind, scope, limit, meter }) => {
      const spent = scope === 'turn' ? this.turn : this.session;
      const used = meter?.used ?? usedOf(kind, spent) + (kind === 'time' ? running : 0);
      return { kind, scope, limit: limit * (1 + (this.granted.get(nameOf({ kind, scope })) ?? 0)), used };
    });
  }

  /** Grants the reached limit again, since the user continues. */
  private grant(): void {
    if (!this.ended) return;
    const name = nameOf(this.ended);
    this.granted.set(name, (this.granted.get(name) ?? 0) + 1);
    this.warned.delete(name);
    this.ended = undefined;
  }

  private forget(scope: ReachedBudget['scope']): void {
    for (const name of [...this.granted.keys(), ...this.warned]) {
      if (!name.startsWith(`${scope} `)) continue;
      this.granted.delete(name);
      this.warned.delete(name);
    }
  }

  private countTime(until: number): void {
    if (this.since === undefined) return;
    this.add({ time: Math.max(0, until - this.since) });
    this.since = undefined;
  }

  private add(more: More): void {
    this.turn = sum(this.turn, more);
    this.session = sum(this.session, more);
  }
}

function sum(before: Spent, { steps = 0, time = 0, spending = {} }: More): Spent {
  const { usage = noUsage, cost } = spending;
  return {
    steps: before.steps + steps,
    time: before.time + time,
    spending: addSpending(before.spending, { usage, cost }),
  };
}

function usedOf(kind: BudgetKind, { steps, time, spending: { usage, cost = 0 } }: Spent): number {
  switch (kind) {
    case 'steps':
      return steps;
    case 'time':
      return time;
    case 'tokens':
      return Math.max(0, totalTokens(usage) - usage.cached);
    case 'money':
      return cost;
  }
}

function nameOf({ kind, scope }: Pick<ReachedBudget, 'kind' | 'scope'>): string {
  return `${scope} ${kind}`;
}
