/* Which models there are to choose from, and which of them works. */

import { liveModel } from '../../../protocol/routes.ts';
import { autoModel } from '../../../protocol/routing.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Availability } from './availability.ts';

export interface ModelChain {
  /** Empty where neither the settings nor the provider name one: then it is the first that the provider lists. */
  readonly strong: string;
  /** The same as the strong one where there is no other. */
  readonly fast: string;
  /** The user named it, of whichever provider, to continue when another is busy or has no quota left. */
  readonly fallback?: string;
  /** For questions beside the conversation, as the user named it. */
  readonly cheap?: string;
  /** The provider's lighter model for the same where nobody named one; absent or undefined: the model itself answers. */
  readonly lightOf?: (model: string) => string | undefined;
  /** Models that may take over when neither the strong nor the fast one can, best first. */
  readonly others: readonly string[];
}

/** The two that a provider recommends for `auto`, and its light models. */
type OwnModels = Pick<ModelChain, 'strong' | 'fast' | 'lightOf'>;

interface ChainSettings extends Pick<ModelChain, 'strong' | 'fast'> {
  /** Empty: none. */
  readonly cheap: string;
  readonly fallback: string;
}

/** Models that the user named come before those that the provider recommends, which may still take over. */
export function modelChain(named: ChainSettings, own: OwnModels | undefined): ModelChain {
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

/** Models that may work when this one cannot, in order, this one first. */
export function candidates(
  model: string,
  { fallback = '', strong, fast, others }: ModelChain,
): readonly string[] {
  return [...new Set([model, fallback, strong, fast, ...others])].filter(name => name !== '');
}

/**
 * The model that works: that of the turn that runs, else the one that would take the next turn. The model of an older
 * turn says nothing, unless nothing else is known.
 */
export function workingModel(
  state: Pick<SessionState, 'model' | 'routed' | 'activity'>,
  chain: ModelChain,
): string {
  const { model, routed } = state;
  const idle = model === autoModel ? chain.strong || routed?.model || '' : model;
  return liveModel(state) ?? idle;
}

/** The model that answers questions beside the conversation. */
export function sideModel(
  working: string,
  { cheap, lightOf }: ModelChain,
  availability: Pick<Availability, 'isAvailable'>,
): string {
  const light = cheap ?? lightOf?.(working);
  return light !== undefined && availability.isAvailable(light) ? light : working;
}
