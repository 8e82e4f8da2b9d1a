/* Says which model works in a session, for the host and the page. */

import { autoModel, type Routed } from './routing.ts';
import type { Activity } from './state.ts';

interface Routes {
  /** Chosen model, or `auto`. */
  readonly model: string;
  readonly routed?: Routed;
}

/** Returns the model of the running turn; `undefined` if none runs. */
export function runningTurnModel({
  routed,
  activity,
}: Pick<Routes, 'routed'> & { readonly activity: Activity }): string | undefined {
  return activity.status !== 'resting' && activity.turnId === routed?.turnId ? routed.model : undefined;
}

/** Returns the model that `auto` chose for the newest turn; `undefined` if that turn began before `auto` was set. */
export function findAutoRoute({ model, routed }: Routes): Routed | undefined {
  return model === autoModel && routed?.by !== 'choice' ? routed : undefined;
}

/** Returns the chosen model, or the one that `auto` chose; `undefined` if `auto` has not chosen yet. */
export function effectiveModel(routes: Routes): string | undefined {
  return routes.model === autoModel ? findAutoRoute(routes)?.model : routes.model;
}
