/* Limits of a turn, a session and a day, and loops: reasons why Folio pauses. */

import type { TurnEnd } from './events.ts';

/** A limit that was reached. Continuing grants the same amount once more. */
export type ReachedBudget = Extract<TurnEnd, { kind: 'budget' }>['budget'];

export type BudgetKind = ReachedBudget['kind'];

export type FoundLoop = Extract<TurnEnd, { kind: 'loop' }>['loop'];
