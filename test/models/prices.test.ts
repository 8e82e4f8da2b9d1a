import { describe, expect, test } from 'vitest';
import { knownAnthropicModels } from '../../src/extension/models/anthropic/models.ts';
import { knownGeminiModels } from '../../src/extension/models/gemini/models.ts';
import { listPrices } from '../../src/extension/models/listPrices.ts';
import { PriceCalculator } from '../../src/extension/models/prices.ts';
import type { ModelPriceSetting, ProviderName } from '../../src/extension/platform/settings.ts';
import type { Usage } from '../../src/protocol/events.ts';
import { noUsage } from '../../src/protocol/state.ts';

const million = 1_000_000;

function makePrices(
  own: Readonly<Record<string, ModelPriceSetting>> = {},
  day = '2026-11-23',
): PriceCalculator {
  return new PriceCalculator(() => own, { now: () => Date.parse(day) });
}

function cost(model: string, usage: Partial<Usage>, provider: ProviderName = 'gemini'): number | undefined {
  return makePrices().costOf(provider, model, { ...noUsage, ...usage });
}

describe('the list', () => {
  test('says of each service where its prices were read and when', () => {
    for (const { source, asOf } of listPrices) {
      expect(source).toMatch(/^https:\/\//);
      expect(new Date(asOf).toISOString()).toContain(asOf);
    }
  });

  test('names a model once, and none that a user can pick is missing', () => {
    const names = listPrices.flatMap(({ models }) => Object.keys(models));
    expect(names).toEqual([...new Set(names)]);
    for (const { id } of knownGeminiModels) expect(cost(id, { prompt: 1 }), id).toBeGreaterThan(0);
    for (const { id } of knownAnthropicModels)
      expect(cost(id, { prompt: 1 }, 'anthropic'), id).toBeGreaterThan(0);
  });

  test('holds nothing for less than nothing, and a cache never costs more to read than to send', () => {
    for (const { models } of listPrices)
      for (const [name, { input, output, cached = 0.1 }] of Object.entries(models)) {
        expect(input, name).toBeGreaterThan(0);
        expect(output, name).toBeGreaterThan(input);
        expect(cached, name).toBeLessThan(1);
      }
  });
});

test('the price that is shown is that of prompts that are not long, and absent where it is unknown', () => {
  const [pro, moving] = makePrices().withPrices('gemini', [
    { id: 'gemini-2.5-pro' },
    { id: 'gemini-pro-latest' },
  ]);
  expect(pro!.price).toEqual({ input: 1.25, cached: 0.125, output: 10 });
  expect(moving!.price).toBeUndefined();
});

describe('the cost of an answer', () => {
  test('has output and thoughts at the same price', () => {
    expect(cost('gemini-2.5-flash', { output: million })).toBeCloseTo(2.5);
    expect(cost('gemini-2.5-flash', { thoughts: million })).toBeCloseTo(2.5);
  });

  test('charges less for the part of the prompt that came from the cache', () => {
    const usage = { prompt: 100_000, cached: 60_000 };
    expect(cost('gemini-2.5-flash', usage)).toBeCloseTo(0.04 * 0.3 + 0.06 * 0.03);
    expect(cost('gpt-6.2-sol', usage, 'openai-responses')).toBeCloseTo(0.04 * 2 + 0.06 * 0.1);
  });

  test('charges more for what the cache was given again', () => {
    const usage = { prompt: 100_000, cached: 60_000, written: 30_000 };
    const expected = 0.01 * 4 + 0.06 * 0.2 + 0.03 * 5;
    expect(cost('claude-opus-5-5', usage, 'anthropic')).toBeCloseTo(expected);
  });

  test('charges more still for what is kept for an hour', () => {
    const usage = { prompt: 100_000, cached: 60_000, written: 30_000, writtenForAnHour: 20_000 };
    const expected = 0.01 * 4 + 0.06 * 0.2 + 0.01 * 5 + 0.02 * 8;
    expect(cost('claude-opus-5-5', usage, 'anthropic')).toBeCloseTo(expected);
  });

  test('is not below that of the cache where a provider reports more cached than sent', () => {
    expect(cost('gemini-2.5-flash', { prompt: 1_000, cached: 5_000 })).toBeCloseTo(0.001 * 0.03);
    const both = { prompt: 1_000, cached: 1_000, written: 5_000 };
    expect(cost('claude-opus-5-5', both, 'anthropic')).toBeCloseTo(0.001 * 0.2);
  });

  test.each([
    ['gemini-2.5-pro', 200_000, 1.25, 10, 2, 1.5],
    ['gemini-3.1-pro-preview', 200_000, 2, 12, 2, 1.5],
    ['claude-haiku-5-5', 100_000, 0.1, 0.5, 5, 5],
    ['gpt-6.2-astra', 272_000, 8, 40, 2, 1.5],
  ])('of %s is dearer as a whole above %i tokens', (model, above, input, output, timesInput, timesOutput) => {
    const at = (prompt: number) => cost(model, { prompt, output: million });
    expect(at(above)).toBeCloseTo((above * input) / million + output);
    expect(at(above + 1)).toBeCloseTo(((above + 1) * input * timesInput) / million + output * timesOutput);
  });

  test('changes on the day that the list names', () => {
    const at = (day: string) =>
      makePrices({}, day).costOf('gemini', 'gemini-3.8-flash', { ...noUsage, prompt: million });
    expect(at('2026-12-31')).toBeCloseTo(0.75);
    expect(at('2027-01-01')).toBeCloseTo(1.5);
  });

  test('of previews and dated versions is that of their model', () => {
    const usage = { prompt: 1_000, output: 1_000 };
    const same = (model: string, ids: readonly string[], provider: ProviderName) => {
      for (const id of ids) expect(cost(id, usage, provider), id).toBe(cost(model, usage, provider));
    };
    const flash = ['models/gemini-2.5-flash', 'gemini-2.5-flash-001', 'gemini-2.5-flash-preview-09-2025'];
    same('gemini-2.5-flash', flash, 'vertex');
    same('claude-haiku-4-5', ['claude-haiku-4-5@20251001', 'claude-haiku-4-5-20251001'], 'vertex');
    expect(cost('global.anthropic.claude-haiku-4-5-20251001-v1:0', usage, 'bedrock')).toBe(
      cost('claude-haiku-4-5', usage, 'anthropic'),
    );
    expect(cost('eu.anthropic.claude-haiku-4-5-20251001-v1:0', usage, 'bedrock')).toBeCloseTo(
      1.1 * cost('claude-haiku-4-5', usage, 'anthropic')!,
      10,
    );
    expect(cost('eu.amazon.nova-pro-v1:0', usage, 'bedrock')).toBeUndefined();
    same('gemini-3.1-flash-lite', ['gemini-3.1-flash-lite-preview'], 'gemini');
    same('claude-haiku-4-5', ['claude-haiku-4-5-20251001'], 'anthropic');
    same('gpt-5', ['gpt-5-2025-08-07'], 'openai');
  });

  test.each([
    ['rehearsal', 'gemini'],
    ['gemini-2.5-flash-image', 'gemini'],
    ['gemini-flash-latest', 'gemini'],
    ['gemini-9-pro', 'gemini'],
    ['constructor', 'gemini'],
    ['claude-unheard-of', 'anthropic'],
    ['openai/gpt-5', 'openai'],
    ['gpt-5', 'vscode'],
  ] as const)('of %s by %s is not known', (model, provider) => {
    expect(cost(model, { prompt: 1 }, provider)).toBeUndefined();
  });
});

describe("the user's own price", () => {
  test('comes before the list, for any provider', () => {
    const prices = makePrices({ 'gemini-2.5-pro': { input: 4, output: 8 }, mine: { input: 1, output: 2 } });
    const usage = { ...noUsage, prompt: 300_000, cached: 100_000, written: 100_000, output: million };
    expect(prices.costOf('gemini', 'gemini-2.5-pro', usage)).toBeCloseTo(0.3 * 4 + 8);
    expect(prices.costOf('vscode', 'mine', usage)).toBeCloseTo(0.3 + 2);
    const [shown] = prices.withPrices('openai', [{ id: 'mine' }]);
    expect(shown!.price).toEqual({ input: 1, cached: 1, output: 2 });
  });

  test('may differ for the cache', () => {
    const prices = makePrices({ mine: { input: 2, output: 2, cached: 0.5, written: 3 } });
    const usage = { ...noUsage, prompt: 300_000, cached: 100_000, written: 100_000 };
    expect(prices.costOf('openai', 'mine', usage)).toBeCloseTo(0.1 * 2 + 0.1 * 0.5 + 0.1 * 3);
  });

  test('may be nothing', () => {
    const prices = makePrices({ mine: { input: 0, output: 0 } });
    expect(prices.costOf('openai', 'mine', { ...noUsage, prompt: 5 })).toBe(0);
  });
});
