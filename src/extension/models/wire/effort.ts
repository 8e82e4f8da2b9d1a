import { type Effort, effortNames } from '../../platform/settings.ts';

/**
 * The step that a model has in place of the wanted one: the next lower, else its lowest, since more thinking than was
 * wanted costs money. `undefined`: nothing is wanted, or the model has no steps.
 * @param steps of the model, the least first
 */
export function nearestEffort(wanted: Effort | undefined, steps: readonly Effort[]): Effort | undefined {
  if (wanted === undefined) return undefined;
  const most = effortNames.indexOf(wanted);
  return steps.findLast(step => effortNames.indexOf(step) <= most) ?? steps[0];
}

/** As a list of models says it: none at all where there is no choice. */
export function offeredEfforts(steps: readonly Effort[]): readonly Effort[] | undefined {
  return steps.length > 0 ? steps : undefined;
}
