/* Which model works on a turn, why, and what happens when it cannot. */

import type { Intention } from './intentions.ts';

/** Stands for a model that Folio chooses for each turn. */
export const autoModel = 'auto';

/**
 * `choice`: the user's own; `mode`: plans are made by the strong model and carried out by the fast one;
 * `classifier`: a fast model classified the prompt; `fallback`: another one is unavailable; `default`: nothing else
 * spoke.
 */
export type RoutedBy = 'choice' | 'mode' | 'classifier' | 'fallback' | 'default';

/** How a model failed, as far as the choice of another is concerned. */
export type FailureKind = 'terminal' | 'transient' | 'notFound' | 'unknown';

export interface ModelFailure {
  /** Identifies exactly this question: the same model may fail again. Absent in journals of earlier versions. */
  readonly askId?: string;
  readonly model: string;
  readonly kind: FailureKind;
  /** Tells the user in one or two sentences what happened. */
  readonly message: string;
  /** The model that could take over; absent: there is none. */
  readonly candidate?: string;
}

/**
 * `retry`: the same model once more; `switch`: the candidate for the rest of the session; `stop`: the turn ends as
 * stopped; `later`: it ends as failed, to be continued with when the model is back; `upgrade`: it stops, and the user
 * reads where the quota or the plan is raised.
 */
export type FallbackDecision = Intention<'fallback.decide'>['decision'];
