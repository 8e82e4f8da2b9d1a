import type { ReachedBudget } from '../../../protocol/budgets.ts';
import { describeBudget } from '../../../protocol/words/turnEnd.ts';

/** One sentence for the person. */
export function describeNearBudget(budget: ReachedBudget): string {
  const share = Math.floor((budget.used / budget.limit) * 100);
  return `${share} % of the limit of ${describeBudget(budget)} is used up. Folio rests there and asks whether to go on.`;
}
