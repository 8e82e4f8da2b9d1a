import type { ReachedBudget } from '../budgets.ts';
import type { TurnEnd } from '../events.ts';

/** Why the agent rests, one or two sentences for the person. */
export function describeTurnEnd(end: TurnEnd): string {
  switch (end.kind) {
    case 'rested':
      return 'Done.';
    case 'stopped':
      return 'Stopped.';
    case 'budget':
      return `Rests at the limit of ${describeBudget(end.budget)}.`;
    case 'loop':
      return `Rests because the work goes in circles: ${end.loop.detail}`;
    case 'hook':
      return `A hook ended the work: ${end.reason}`;
    case 'failed':
      return end.trouble.message;
    default:
      // A journal may hold what an earlier or later version wrote.
      return 'Rests.';
  }
}

/** `20 steps for one prompt` */
export function describeBudget({ kind, scope, limit }: ReachedBudget): string {
  const of = scope === 'turn' ? 'one prompt' : 'the session';
  switch (kind) {
    case 'steps':
      return `${limit} ${limit === 1 ? 'step' : 'steps'} for ${of}`;
    case 'tokens':
      return `${limit.toLocaleString('en-US')} tokens for ${of}`;
    case 'money':
      return `$${limit.toFixed(2)} for ${of}`;
    case 'time':
      return `${Math.round(limit / 60_000)} minutes for ${of}`;
  }
}
