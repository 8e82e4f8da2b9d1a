/* Which model a session says works: the one home of that question, for the host and the page. */

import { autoModel } from './routing.ts';
import type { Activity, Routed } from './state.ts';

interface Routes {
  /** The chosen one, or `auto`. */
  readonly model: string;
  readonly routed?: Routed;
}

/** The model of the turn that runs; `undefined`: none runs. */
export function liveModel({
  routed,
  activity,
}: Pick<Routes, 'routed'> & { readonly activity: Activity }): string | undefined {
  return activity.status !== 'resting' && activity.turnId === routed?.turnId ? routed.model : undefined;
}

/** The model that Auto chose for the newest turn. A turn from before Auto was chosen says nothing about it. */
export function autoRouted({ model, routed }: Routes): Routed | undefined {
  return model === autoModel && routed?.by !== 'choice' ? routed : undefined;
}

/** The chosen model, or the one that Auto chose; `undefined`: Auto has not chosen one yet. */
export function modelInUse(routes: Routes): string | undefined {
  return routes.model === autoModel ? autoRouted(routes)?.model : routes.model;
}
