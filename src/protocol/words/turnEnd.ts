import type { ReachedBudget } from '../budgets.ts';
import type { TurnEnd } from '../events.ts';
import { plural, t } from '../language.ts';
import { formatMoney, formatNumber } from './numbers.ts';

/** Explains in one or two sentences why a turn ended. */
export function describeTurnEnd(end: TurnEnd): string {
  switch (end.kind) {
    case 'rested':
      return t('Done.');
    case 'stopped':
      return t('Stopped.');
    case 'budget':
      return t('Paused: limit of {0} reached.', describeBudget(end.budget));
    case 'loop':
      return t('Paused: Folio seems to be looping. {0}', end.loop.detail);
    case 'hook':
      return t('A hook ended the work: {0}', end.reason);
    case 'failed':
      return end.trouble.message;
    default:
      // A journal may contain kinds of other versions.
      return t('Paused.');
  }
}

/** Returns for example `20 steps for one prompt`. */
export function describeBudget({ kind, scope, limit }: ReachedBudget): string {
  const isOfTurn = scope === 'turn';
  switch (kind) {
    case 'steps':
      return isOfTurn
        ? plural(limit, 'one: {0} step for one prompt | other: {0} steps for one prompt')
        : plural(limit, 'one: {0} step for the session | other: {0} steps for the session');
    case 'tokens': {
      const tokens = formatNumber(limit);
      return isOfTurn ? t('{0} tokens for one prompt', tokens) : t('{0} tokens for the session', tokens);
    }
    case 'money': {
      const money = formatMoney(limit);
      if (scope === 'day') return t('{0} a day for all sessions together', money);
      return isOfTurn ? t('{0} for one prompt', money) : t('{0} for the session', money);
    }
    case 'time': {
      const minutes = Math.round(limit / 60_000);
      return isOfTurn
        ? plural(minutes, 'one: {0} minute for one prompt | other: {0} minutes for one prompt')
        : plural(minutes, 'one: {0} minute for the session | other: {0} minutes for the session');
    }
  }
}
