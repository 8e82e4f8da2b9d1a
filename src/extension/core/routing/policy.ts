/* Decides what follows when a model failed and another one could take over. */

import type { FailureKind } from '../../../protocol/routing.ts';

/** `switch`: another one takes over without a word; `fail`: the turn fails as it would without other models. */
type FallbackAction = 'switch' | 'ask' | 'fail';

interface Circumstances {
  /** Folio chose the model, not the user. */
  readonly isAuto: boolean;
  /** The next model is the one that the user named for this. */
  readonly isNamed: boolean;
  /** A user is there to be asked. */
  readonly interactive: boolean;
}

/**
 * A user who chose a model never gets another one unasked, unless they named which one continues when it is busy or
 * its quota is used up; a user who left the choice to Folio is asked when the model is lost for long.
 */
export function fallbackAction(
  kind: FailureKind,
  { isAuto, isNamed, interactive }: Circumstances,
): FallbackAction {
  if (isNamed && (kind === 'transient' || kind === 'terminal')) return 'switch';
  if (isAuto && (kind === 'transient' || !interactive)) return 'switch';
  return interactive ? 'ask' : 'fail';
}

/**
 * Attempts with a strong model, or a chosen one, that another one can replace: these take about a quarter of a minute, ten take four
 * minutes.
 */
const strongAttempts = 3;

interface AttemptFacts {
  /** The limit in the settings. */
  readonly most: number;
  readonly isAuto: boolean;
  /** The user named a model that continues in its place. */
  readonly isCovered: boolean;
  readonly isStrong: boolean;
  /** It failed in passing before, and this turn looks whether it is back. */
  readonly isShaky: boolean;
  /** Another one can take over. */
  readonly hasNext: boolean;
}

export function attemptsFor({ most, isAuto, isCovered, isStrong, isShaky, hasNext }: AttemptFacts): number {
  if (!(isAuto || isCovered) || !hasNext) return most;
  if (isShaky) return 1;
  return isStrong || isCovered ? Math.min(strongAttempts, most) : most;
}
