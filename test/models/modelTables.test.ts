/* What is written down of models: prices, what fits, and steps of effort. No row may say what another one denies. */

import { describe, expect, test } from 'vitest';
import { abilitiesByName } from '../../src/extension/models/anthropic/abilitiesByName.ts';
import { effortsOf } from '../../src/extension/models/anthropic/modelList.ts';
import { knownAnthropicModels } from '../../src/extension/models/anthropic/models.ts';
import { claudeNameOf, knownBedrockModels } from '../../src/extension/models/bedrock/bedrockModels.ts';
import { findGeminiEfforts, knownGeminiModels } from '../../src/extension/models/gemini/models.ts';
import { type ListPrice, listPrices } from '../../src/extension/models/listPrices.ts';
import { chatEffortValue, findChatEfforts } from '../../src/extension/models/openai/models.ts';
import { providers } from '../../src/extension/models/providers.ts';
import { contextLimits, findContextLimit } from '../../src/extension/models/wire/contextLimits.ts';
import { effortNames } from '../../src/extension/platform/settings.ts';

const prices = listPrices.flatMap(({ models }) => Object.entries(models));

describe('what fits into a request', () => {
  test('is said with a page and a day', () => {
    for (const { source, asOf } of contextLimits) {
      expect(source).toMatch(/^https:\/\//);
      expect(new Date(asOf).toISOString()).toContain(asOf);
    }
  });

  test('is known of each model that has a price, and more than where long prompts begin', () => {
    for (const [name, { long }] of prices) {
      const limit = findContextLimit(name);
      expect(limit, name).toBeGreaterThan(100_000);
      if (long) expect(limit, name).toBeGreaterThan(long.above);
    }
  });

  test('has no row that an earlier one hides', () => {
    const rows = contextLimits.flatMap(({ limits }) => limits);
    const used = new Set([...prices.map(([name]) => name), 'gemma-4-31b-it'].map(rowOf));
    expect([...used].sort()).toEqual(rows.map((_row, at) => at));
    function rowOf(name: string): number {
      return rows.findIndex(([models]) => models.test(name));
    }
  });

  test('is the same for a model of Claude wherever it runs', () => {
    for (const { id, contextLimit } of knownAnthropicModels) {
      expect(providers.vertex.contextLimit(id, 1), id).toBe(contextLimit);
      expect(providers.bedrock.contextLimit(`eu.anthropic.${id}-v1:0`, 1), id).toBe(contextLimit);
    }
    for (const { id, contextLimit } of knownBedrockModels)
      expect(providers.anthropic.contextLimit(claudeNameOf(id)!, 1), id).toBe(contextLimit);
  });

  test('fits the list of each provider', () => {
    for (const { id, contextLimit } of knownGeminiModels)
      expect(providers.gemini.contextLimit(id, 1), id).toBe(contextLimit);
    for (const { id, contextLimit } of knownAnthropicModels)
      expect(providers.anthropic.contextLimit(id, 1), id).toBe(contextLimit);
  });
});

test('a price of the cache is between nothing and what is kept in it, an hour is dearer, and a later price differs', () => {
  for (const [name, price] of prices) {
    const { cached = 0.1, written = 1, writtenForAnHour = written, long, next } = price;
    expect(cached, name).toBeGreaterThan(0);
    expect(cached, name).toBeLessThan(written);
    expect(written, name).toBeGreaterThanOrEqual(1);
    expect(writtenForAnHour, name).toBeGreaterThanOrEqual(written);
    if (long) expect(Math.min(long.input, long.output), name).toBeGreaterThan(1);
    if (next) expectLater(name, price, next);
  }

  function expectLater(name: string, price: ListPrice, [day, later]: readonly [string, ListPrice]): void {
    expect(new Date(day).toISOString(), name).toContain(day);
    expect([later.input, later.output], name).not.toEqual([price.input, price.output]);
  }
});

describe('steps of effort', () => {
  test('stand from least to most, each once', () => {
    for (const [name] of prices) {
      const steps = [findGeminiEfforts(name), findChatEfforts(name), abilitiesByName(name).efforts];
      for (const each of steps)
        expect(
          effortNames.filter(step => each.includes(step)),
          name,
        ).toEqual(each);
    }
  });

  test('have a word each, and most of it is said as the age of the model wants', () => {
    for (const [name] of prices)
      for (const step of findChatEfforts(name)) expect(chatEffortValue(name, step), name).toBeDefined();
    const most = [
      'gpt-6.2-astra',
      'openai/gpt-6-luna',
      'gpt-5.6-sol',
      'gpt-5.5',
      'gpt-5.4-mini',
      'gpt-5.3-codex',
      'gpt-5.2',
      'gpt-5.1-codex-max',
      'gpt-5.1',
      'gpt-5.3-chat-latest',
      'gpt-4.1',
    ];
    expect(
      most.map(model => findChatEfforts(model).includes('max') && chatEffortValue(model, 'max')),
    ).toEqual(['max', 'max', 'max', 'xhigh', 'xhigh', 'xhigh', 'xhigh', 'xhigh', false, false, false]);
  });

  test('of Claude in a cloud are those that the service lists', () => {
    const offered = (model: string) => effortsOf(abilitiesByName(model));
    expect(offered('claude-sonnet-4-6')).toEqual(['low', 'medium', 'high', 'max']);
    expect(offered('claude-haiku-4-5')).toEqual(['low', 'medium', 'high']);
    expect(offered('claude-3-5-haiku')).toBeUndefined();
  });
});

test.each([
  ['claude-opus-5-5', false],
  ['claude-sonnet-5-5', false],
  ['claude-fable-5-2', false],
  ['claude-haiku-5-5', true],
  ['claude-opus-5', true],
])('%s can be kept from thinking: %s', (model, canBeOff) => {
  expect(abilitiesByName(model).thinking.canBeOff).toBe(canBeOff);
});
