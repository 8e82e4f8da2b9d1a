/* Decides what happens after a model failed and another could take over. */

import type { ModelFailureKind } from '../../../protocol/routing.ts';

/** `switch`: another model takes over silently. `fail`: the turn fails. */
type FallbackAction = 'switch' | 'ask' | 'fail';

interface Circumstances {
  /** Folio chose the model, not the user. */
  readonly isAuto: boolean;
  /** The user configured the next model as fallback. */
  readonly isNamed: boolean;
  /** A user is present to be asked. */
  readonly interactive: boolean;
}

/**
 * A model chosen by the user is never replaced without asking, unless a fallback is configured and the model is busy or
 * its quota used up. With automatic choice, the user is asked only if the model is unavailable for long.
 */
export function fallbackAction(
  kind: ModelFailureKind,
  { isAuto, isNamed, interactive }: Circumstances,
): FallbackAction {
  if (isNamed && (kind === 'transient' || kind === 'terminal')) return 'switch';
  if (isAuto && (kind === 'transient' || !interactive)) return 'switch';
  return interactive ? 'ask' : 'fail';
}

/**
 * Attempts with a strong or chosen model that another can replace. These take about 15 seconds; ten would take four
 * minutes.
 */
const strongAttempts = 3;

interface AttemptFacts {
  /** The limit in the settings. */
  readonly most: number;
  readonly isAuto: boolean;
  /** The user configured a fallback for it. */
  readonly isCovered: boolean;
  readonly isStrong: boolean;
  /** It failed temporarily before, and this turn tests it again. */
  readonly isShaky: boolean;
  /** Another model can take over. */
  readonly hasNext: boolean;
}

export function attemptsFor({ most, isAuto, isCovered, isStrong, isShaky, hasNext }: AttemptFacts): number {
  if (!(isAuto || isCovered) || !hasNext) return most;
  if (isShaky) return 1;
  return isStrong || isCovered ? Math.min(strongAttempts, most) : most;
}
