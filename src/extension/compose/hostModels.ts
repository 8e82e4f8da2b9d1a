import { ModelAvailability } from '../core/routing/modelAvailability.ts';
import { type ModelRoles, modelRoles } from '../core/routing/modelRoles.ts';
import type { ModelServices } from '../core/routing/modelServices.ts';
import { PriceCalculator } from '../models/prices.ts';
import { providers } from '../models/providers.ts';
import { parseModelName } from '../platform/modelNames.ts';
import type { Settings } from '../platform/settings.ts';
import type { AgentHost, UserInteraction } from './agentHost.ts';
import { contextLimitOf, type ModelAccess, resolveModelName } from './modelAccess.ts';

export function makeModelServices({ settings, access, user, clock }: AgentHost): ModelServices {
  const prices = new PriceCalculator(() => settings.get('prices'), clock);
  return {
    availability: new ModelAvailability(clock, () =>
      access.isRehearsal ? 'rehearsal' : whoAnswers(settings, user),
    ),
    provider: () => access.provider,
    chain: () => chosenModels(settings, access),
    resolve: name => resolveModelName(name, access, settings),
    contextLimit: model => contextLimitOf(model, access, settings),
    describeUpgrade: async model => {
      const { describeUpgrade } = await import('../models/upgrades.ts');
      return describeUpgrade(parseModelName(model, access.name, access.others).provider, model);
    },
    costOf: (model, usage) => {
      if (access.isRehearsal) return 0;
      const { provider, id } = parseModelName(model, access.name, access.others);
      return prices.costOf(provider, id, usage);
    },
  };
}

/** Identifies provider, address and key: a fact about a model there does not apply to the same model elsewhere. */
function whoAnswers(settings: Settings, { keyChanges }: UserInteraction): string {
  const names = [
    'provider',
    'baseUrl',
    'openai.baseUrl',
    'openaiResponses.baseUrl',
    'anthropic.baseUrl',
    'vertex.baseUrl',
  ] as const;
  const places = ['vertex.project', 'vertex.location'] as const;
  return [keyChanges?.() ?? 0, ...[...names, ...places].map(name => settings.get(name))].join('\n');
}

/** Returns why the organisation does not allow a model; `undefined` if it does. */
export function whyModelRefused(
  model: string,
  { isRehearsal, name, others }: Pick<ModelAccess, 'isRehearsal' | 'name' | 'others'>,
  { restrictions }: Settings,
): string | undefined {
  if (isRehearsal) return undefined;
  const place = parseModelName(model, name, others);
  return restrictions?.refuseModel(place.provider, place.id);
}

function chosenModels(settings: Settings, access: ModelAccess): ModelRoles {
  const allowed = (id: string) => (whyModelRefused(id, access, settings) === undefined ? id : '');
  const idOf = (name: string) => (name === '' ? name : allowed(resolveModelName(name, access, settings)));
  const strong = idOf(settings.get('auto.strongModel'));
  const fast = idOf(settings.get('auto.fastModel'));
  const cheap = idOf(settings.get('cheapModel'));
  const fallback = idOf(settings.get('fallbackModel'));
  const own = providers[access.name].ownModels?.(settings.get('model'));
  return modelRoles({ strong, fast, cheap, fallback }, own && ownAllowed(own, allowed));
}

/** The provider's recommended models, as far as the organisation allows them. */
function ownAllowed(own: OwnModels, allowed: (id: string) => string): OwnModels {
  const [strong, fast] = [allowed(own.strong), allowed(own.fast)];
  const lightOf = (model: string) => allowed(own.lightOf(model) ?? '') || undefined;
  return { strong: strong || fast, fast: fast || strong, lightOf };
}

type OwnModels = ReturnType<NonNullable<(typeof providers)[ModelAccess['name']]['ownModels']>>;
