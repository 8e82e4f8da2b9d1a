/* Sums tokens and cost of answers, for turns, chapters, sessions and limits. */

import type { SessionEvent, SessionEventBody, Usage } from '../events.ts';
import { patchNewest } from '../pagedList.ts';
import { type Item, noUsage, type SessionState, type Spending, type TurnSpending } from '../state.ts';

/** Adds a step to the spending of the running turn. It is not kept in the prompt, which may be far back. */
export function countStep(
  { spending = nothingSpent, answering }: Pick<SessionState, 'spending' | 'answering'>,
  { usage = noUsage, cost, saved }: SessionEventBody<'step.ended'>,
): TurnSpending {
  return addTurnSpent(spending, {
    steps: 1,
    usage,
    cost,
    saved,
    models: answering === undefined ? undefined : [answering],
  });
}

/** Starts a step. The first of a turn has also the time before it. */
export function startStep(
  state: SessionState,
  { number, model, at }: SessionEvent<'step.started'>,
): SessionState {
  const { activity } = state;
  const startedAt = number === 1 && activity.status !== 'resting' ? activity.since : at;
  return { ...state, answering: model, newestStep: { startedAt } };
}

/** Moves the spending of the turn to its prompt, and adds it to what the turn spent before a retry. */
export function settleSpending(state: SessionState): SessionState {
  const { spending, ...rest } = state;
  if (!spending) return state;
  const settle = (item: Item) =>
    item.type === 'prompt' && !item.steered
      ? { ...item, spent: addTurnSpent(item.spent ?? nothingSpent, spending) }
      : undefined;
  for (let at = rest.chapters.length - 1; at >= 0; at--) {
    const chapter = rest.chapters[at]!;
    const items = patchNewest(chapter.items, settle);
    if (items !== chapter.items) return { ...rest, chapters: rest.chapters.with(at, { ...chapter, items }) };
  }
  return rest;
}

/** Returns all tokens sent and received. */
export function totalTokens({ prompt, output, thoughts }: Usage): number {
  return prompt + output + thoughts;
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    prompt: a.prompt + b.prompt,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    thoughts: a.thoughts + b.thoughts,
  };
}

function addDollars(sum: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? sum : (sum ?? 0) + more;
}

/** Omits `cost` if no price is known. */
export function addSpending(a: Spending, b: Spending): Spending {
  const usage = addUsage(a.usage, b.usage);
  const cost = addDollars(a.cost, b.cost);
  const saved = addDollars(a.saved, b.saved);
  if (cost === undefined) return { usage };
  const sum = saved === undefined ? { usage, cost } : { usage, cost, saved };
  return hasUnpriced(a) || hasUnpriced(b) ? { ...sum, unpriced: true } : sum;
}

export function spendingOf({ usage, cost, saved, unpriced }: Spending): Spending {
  return { usage, cost, saved, unpriced };
}

function hasUnpriced({ usage, cost, unpriced }: Spending): boolean {
  return unpriced ?? (cost === undefined && usage.prompt > 0);
}

export const nothingSpent: TurnSpending = { steps: 0, usage: noUsage };

export function addTurnSpent(a: TurnSpending, b: TurnSpending): TurnSpending {
  const { models: [...models] = [] } = a;
  for (const model of b.models ?? []) if (model !== models.at(-1)) models.push(model);
  const spent = { steps: a.steps + b.steps, ...addSpending(a, b) };
  return models.length > 0 ? { ...spent, models } : spent;
}
