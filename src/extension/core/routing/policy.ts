/* What follows when a model failed and another one could take over. */

import type { FailureKind } from '../../../protocol/routing.ts';

/** `switch`: another one takes over without a word; `fail`: the turn fails as it would without other models. */
export type FallbackAction = 'switch' | 'ask' | 'fail';

export interface Circumstances {
  /** Folio chose the model, not the person. */
  readonly isAuto: boolean;
  /** A person is there to be asked. */
  readonly interactive: boolean;
}

/** Who chose a model gets no other one without a word; who left the choice to Folio is asked when it costs a model for long. */
export function fallbackAction(kind: FailureKind, { isAuto, interactive }: Circumstances): FallbackAction {
  if (isAuto && (kind === 'transient' || !interactive)) return 'switch';
  return interactive ? 'ask' : 'fail';
}

/** Of a strong model that another one can stand in for: about a quarter of a minute, where ten attempts would take four minutes. */
const strongAttempts = 3;

export interface AttemptFacts {
  /** Of the settings. */
  readonly most: number;
  readonly isAuto: boolean;
  readonly isStrong: boolean;
  /** It failed in passing before, and this turn looks whether it is back. */
  readonly isShaky: boolean;
  /** Another one can take over. */
  readonly hasNext: boolean;
}

export function attemptsFor({ most, isAuto, isStrong, isShaky, hasNext }: AttemptFacts): number {
  if (!isAuto || !hasNext) return most;
  if (isShaky) return 1;
  return isStrong ? Math.min(strongAttempts, most) : most;
}
