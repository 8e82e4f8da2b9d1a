/* Prices of models: the user's own, or list prices. */

import type { Usage } from '../../protocol/events.ts';
import type { ModelPrice } from '../../protocol/panel/messages.ts';
import type { Clock } from '../platform/clock.ts';
import type { ModelPriceSetting, ProviderName } from '../platform/settings.ts';
import { type ListPrice, listPrices } from './listPrices.ts';
import { providers } from './providers.ts';

type OwnPrices = () => Readonly<Record<string, ModelPriceSetting>>;

export class PriceCalculator {
  private readonly own: OwnPrices;
  private readonly clock: Pick<Clock, 'now'>;

  /** @param own the user's prices, by model id */
  constructor(own: OwnPrices, clock: Pick<Clock, 'now'>) {
    this.own = own;
    this.clock = clock;
  }

  /** Adds the prices for short prompts to the models. */
  withPrices<Model extends { readonly id: string }>(
    provider: ProviderName,
    models: readonly Model[],
  ): readonly (Model & { readonly price?: ModelPrice })[] {
    return models.map(model => {
      const price = this.find(provider, model.id);
      if (!price) return model;
      const { input, output, cached = 0.1 } = price;
      return { ...model, price: { input, output, cached: input * cached } };
    });
  }

  /** Cost of one answer in US dollars, or `undefined` if no price is known. `usage.prompt` includes cached tokens. */
  costOf(provider: ProviderName, model: string, usage: Usage): number | undefined {
    const price = this.find(provider, model);
    if (!price) return undefined;
    const { prompt, output, thoughts } = usage;
    const { input, output: perOutput, cached = 0.1, written = 1, writtenForAnHour = written, long } = price;
    const times = long && prompt > long.above ? long : { input: 1, output: 1 };
    const fromCache = Math.min(usage.cached, prompt);
    const intoCache = Math.min(usage.written ?? 0, prompt - fromCache);
    const forAnHour = Math.min(usage.writtenForAnHour ?? 0, intoCache);
    const again = prompt - fromCache - intoCache;
    const kept = (intoCache - forAnHour) * written + forAnHour * writtenForAnHour;
    const sent = again + fromCache * cached + kept;
    return (sent * input * times.input + (output + thoughts) * perOutput * times.output) / 1_000_000;
  }

  private find(provider: ProviderName, model: string): ListPrice | undefined {
    const own = this.own();
    if (Object.hasOwn(own, model)) return asListPrice(own[model]!);
    const charge = providers[provider].charge(model);
    const price = charge && findListPrice(charge.model, this.clock.now());
    if (!price || charge.times === 1) return price;
    return { ...price, input: price.input * charge.times, output: price.output * charge.times };
  }
}

/** @param now milliseconds since the Unix epoch */
function findListPrice(model: string, now: number): ListPrice | undefined {
  const name = baseOf(model);
  const service = listPrices.find(({ models }) => Object.hasOwn(models, name));
  const price = service?.models[name];
  if (!price?.next) return price;
  const [day, later] = price.next;
  return now < Date.parse(day) ? price : later;
}

/** A preview or dated version costs the same as its model. A moving name like `-latest` has no price. */
function baseOf(model: string): string {
  return model
    .replace(/^models\//, '')
    .replace(/(?:@.*|-(?:preview(?:-\d{2}-\d{4}|-customtools)?|\d{3}|\d{8}|\d{4}-\d{2}-\d{2}))$/, '');
}

/** Without a cache price from the user, cached tokens cost the normal price. */
function asListPrice({ input, output, cached = input, written = input }: ModelPriceSetting): ListPrice {
  const share = (price: number) => (input === 0 ? 0 : price / input);
  return { input, output, cached: share(cached), written: share(written) };
}
