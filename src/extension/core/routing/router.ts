/*
 * Selects the model of a turn. The first rule with a result decides:
 *
 *   choice ─► only one left ─► mode ─► classifier ─► default
 *
 * If the resulting model is unavailable, the next one of the chain takes its place. A model chosen by the user is never
 * replaced here: if it is unavailable, the user is asked.
 */

import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { autoModel, type RoutedBy } from '../../../protocol/routing.ts';
import type { NewestPlan } from '../../../protocol/values.ts';
import type { RouteVerdict } from './classifier.ts';
import { fallbackCandidates, type ModelRoles } from './modelRoles.ts';

export interface ModelRoute {
  readonly model: string;
  readonly by: RoutedBy;
  readonly reason?: string;
}

export interface RouteFacts {
  /** A model, or `auto`. */
  readonly choice: string;
  readonly mode: ApprovalMode;
  readonly plan: NewestPlan | undefined;
  /** Contains a strong model. */
  readonly chain: ModelRoles;
  readonly isAvailable: (model: string) => boolean;
  /** Asks a model about the prompt. Never rejects; without a verdict the default applies. */
  readonly classify: () => Promise<RouteVerdict | undefined>;
}

export async function findRoute(facts: RouteFacts): Promise<ModelRoute> {
  const { choice, chain } = facts;
  if (choice !== autoModel) return { model: choice, by: 'choice' };
  const route = onlyOneLeft(facts) ?? byMode(facts) ?? (await byVerdict(facts)) ?? byDefault(chain);
  return inPlaceOf(route, facts);
}

/** With only one usable model, the prompt need not be classified. */
function onlyOneLeft({ chain, isAvailable }: RouteFacts): ModelRoute | undefined {
  const { strong, fast } = chain;
  return strong === fast || !isAvailable(strong) || !isAvailable(fast) ? byDefault(chain) : undefined;
}

function byMode({ mode, plan, chain }: RouteFacts): ModelRoute | undefined {
  if (mode === 'plan') {
    return { model: chain.strong, by: 'mode', reason: t('The strong model makes plans.') };
  }
  if (!plan?.approved) return undefined;
  return { model: chain.fast, by: 'mode', reason: t('The fast model carries out approved plans.') };
}

async function byVerdict({ chain, classify }: RouteFacts): Promise<ModelRoute | undefined> {
  const verdict = await classify();
  return verdict && { model: chain[verdict.model], by: 'classifier', reason: verdict.why };
}

function byDefault({ strong }: ModelRoles): ModelRoute {
  return { model: strong, by: 'default' };
}

/** Returns the next available model; if all are unavailable, the model itself, so that its error is reported. */
function inPlaceOf(route: ModelRoute, { chain, isAvailable }: RouteFacts): ModelRoute {
  if (isAvailable(route.model)) return route;
  const next = fallbackCandidates(route.model, chain).find(isAvailable);
  if (next === undefined) return route;
  return { model: next, by: 'fallback', reason: t('{0} is not available at the moment.', route.model) };
}
