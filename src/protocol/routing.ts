/* Routing: which model works on a turn, why, and what follows a failure. */

import type { Intention } from './intentions.ts';

/** Stands for a model that Folio chooses for each turn. */
export const autoModel = 'auto';

/**
 * `choice`: chosen by the user; `mode`: the strong model plans, the fast one carries plans out; `classifier`: a fast
 * model classified the prompt; `fallback`: another model is unavailable; `default`: none of these.
 */
export type RoutedBy = 'choice' | 'mode' | 'classifier' | 'fallback' | 'default';

export interface Routed {
  readonly turnId: string;
  readonly model: string;
  readonly by: RoutedBy;
  readonly reason?: string;
}

/** Kinds of model failures that matter for choosing another model. */
export type ModelFailureKind = 'terminal' | 'transient' | 'notFound' | 'unknown';

export interface ModelFailure {
  /** Unique per question, since a model may fail again. Absent in journals of earlier versions. */
  readonly askId?: string;
  readonly model: string;
  readonly kind: ModelFailureKind;
  /** One or two sentences for the user about what happened. */
  readonly message: string;
  /** Model that could take over. Absent: there is none. */
  readonly candidate?: string;
}

/**
 * `retry`: tries the same model again; `switch`: uses the candidate for the rest of the session; `stop`: ends the turn
 * as stopped; `later`: ends it as failed, to continue when the model is available; `upgrade`: stops it and says where
 * to raise the quota or plan.
 */
export type FallbackDecision = Intention<'fallback.decide'>['decision'];
