/* The rows of the picker of effort, and what a choice makes of the setting. */

import type { Effort } from '../../../platform/settings.ts';

interface EffortRow {
  readonly label: string;
  readonly description?: string;
  /** Absent: nothing is set for this model. */
  readonly effort?: Effort;
}

const labels: Readonly<Record<Effort, string>> = { low: 'Low', medium: 'Medium', high: 'High', max: 'Max' };

/**
 * @param steps of the model
 * @param efforts as they are set: by id, and `*` for all that are not named
 */
export function rowsOfEfforts(
  steps: readonly Effort[],
  model: string,
  efforts: Readonly<Record<string, Effort>>,
): readonly EffortRow[] {
  const current = Object.hasOwn(efforts, model) ? efforts[model] : undefined;
  const others = efforts['*'];
  const label = others ? `As for other models: ${labels[others]}` : 'As the model decides';
  const own: EffortRow = { label, description: current ? undefined : 'now' };
  const isLacking = current !== undefined && !steps.includes(current);
  const lacking: readonly EffortRow[] = isLacking
    ? [{ label: labels[current], description: 'now · the nearest that it has is sent', effort: current }]
    : [];
  const rows = steps.map(effort => ({
    label: labels[effort],
    description: effort === current ? 'now' : undefined,
    effort,
  }));
  return [own, ...rows, ...lacking];
}

/** @param effort absent: the model is no longer named */
export function withEffort(
  before: Readonly<Record<string, Effort>>,
  model: string,
  effort: Effort | undefined,
): Readonly<Record<string, Effort>> {
  if (effort !== undefined) return { ...before, [model]: effort };
  return Object.fromEntries(Object.entries(before).filter(([name]) => name !== model));
}
