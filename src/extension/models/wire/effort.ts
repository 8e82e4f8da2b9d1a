import { type Effort, effortNames } from '../../platform/settings.ts';

/**
 * Returns the closest level that the model supports: the next lower one, else its lowest, because more thinking than
 * requested costs money. Returns `undefined` if nothing is requested or the model has no levels.
 * @param steps levels of the model, lowest first
 */
export function nearestEffort(wanted: Effort | undefined, steps: readonly Effort[]): Effort | undefined {
  if (wanted === undefined) return undefined;
  const most = effortNames.indexOf(wanted);
  return steps.findLast(step => effortNames.indexOf(step) <= most) ?? steps[0];
}

/** Returns `undefined` if the model offers no choice. */
export function offeredEfforts(steps: readonly Effort[]): readonly Effort[] | undefined {
  return steps.length > 0 ? steps : undefined;
}
