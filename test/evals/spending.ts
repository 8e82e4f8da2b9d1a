import type { SessionEvent } from '../../src/protocol/events.ts';
import { reduce } from '../../src/protocol/fold/reduce.ts';
import { emptySession } from '../../src/protocol/state.ts';

/** What attempts took, in tokens as the provider counts them. */
export interface Spending {
  /** Sent, but for what a cache had. */
  readonly sent: number;
  readonly cached: number;
  /** Answers and thoughts. */
  readonly written: number;
  /** US dollars; absent where no price is known. */
  readonly cost?: number | undefined;
}

export const noSpending: Spending = { sent: 0, cached: 0, written: 0 };

/** By the fold that the panel shows, so that subagents and questions beside the conversation count, too. */
export function spendingOf(events: readonly SessionEvent[]): Spending {
  const { usage, cost } = events.reduce(reduce, emptySession);
  const { prompt, cached, output, thoughts } = usage;
  return { sent: prompt - cached, cached, written: output + thoughts, cost };
}

/** A sum of which one price is not known is not known either. */
export function sumSpending(all: readonly Spending[]): Spending {
  const spent = all.filter(({ sent, cached, written }) => sent + cached + written > 0);
  const sum = (count: (each: Spending) => number) => spent.reduce((total, each) => total + count(each), 0);
  const isPriced = spent.length > 0 && spent.every(({ cost }) => cost !== undefined);
  return {
    sent: sum(({ sent }) => sent),
    cached: sum(({ cached }) => cached),
    written: sum(({ written }) => written),
    cost: isPriced ? sum(({ cost = 0 }) => cost) : undefined,
  };
}
