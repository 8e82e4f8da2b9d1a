/* The models to choose from, and the choice of the working one. */

import { runningTurnModel } from '../../../protocol/routes.ts';
import { autoModel } from '../../../protocol/routing.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { ModelAvailability } from './modelAvailability.ts';

/** Models by what they are for. */
export interface ModelRoles {
  /** Empty if neither settings nor provider name one: then the first that the provider lists. */
  readonly strong: string;
  /** Equal to the strong one if there is no other. */
  readonly fast: string;
  /** The user's choice, maybe of another provider, if a model is busy or has no quota left. */
  readonly fallback?: string;
  /** For questions outside the conversation, chosen by the user. */
  readonly cheap?: string;
  /** The provider's lighter model for such questions by default; absent or undefined: the model itself answers. */
  readonly lightOf?: (model: string) => string | undefined;
  /** Models that take over if neither the strong nor the fast one can, best first. */
  readonly others: readonly string[];
}

/** The provider's recommendations for `auto`, and its light models. */
type OwnModels = Pick<ModelRoles, 'strong' | 'fast' | 'lightOf'>;

interface RoleSettings extends Pick<ModelRoles, 'strong' | 'fast'> {
  /** Empty: none. */
  readonly cheap: string;
  readonly fallback: string;
}

/** Models chosen by the user precede recommended ones, which may still take over. */
export function modelRoles(named: RoleSettings, own: OwnModels | undefined): ModelRoles {
  const strong = named.strong || own?.strong || '';
  const fast = named.fast || own?.fast || strong;
  const others = own ? [own.strong, own.fast].filter(model => model !== strong && model !== fast) : [];
  return {
    strong,
    fast,
    others,
    cheap: named.cheap || undefined,
    fallback: named.fallback || undefined,
    lightOf: own?.lightOf,
  };
}

/** Returns models that may replace this one, in order, starting with it. */
export function fallbackCandidates(
  model: string,
  { fallback = '', strong, fast, others }: ModelRoles,
): readonly string[] {
  return [...new Set([model, fallback, strong, fast, ...others])].filter(name => name !== '');
}

/**
 * Returns the model of the running turn, else the one for the next turn. The model of an older turn only counts if
 * nothing else is known.
 */
export function currentTurnModel(
  state: Pick<SessionState, 'model' | 'routed' | 'activity'>,
  chain: ModelRoles,
): string {
  const { model, routed } = state;
  const idle = model === autoModel ? chain.strong || routed?.model || '' : model;
  return runningTurnModel(state) ?? idle;
}

/** Returns the model for questions outside the conversation. */
export function sideModel(
  working: string,
  { cheap, lightOf }: ModelRoles,
  availability: Pick<ModelAvailability, 'isAvailable'>,
): string {
  const light = cheap ?? lightOf?.(working);
  return light !== undefined && availability.isAvailable(light) ? light : working;
}
