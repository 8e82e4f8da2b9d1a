import { describe, expect, test } from 'vitest';
import { geminiCost, geminiPrice } from '../../../src/extension/models/gemini/prices.ts';
import { noUsage } from '../../../src/protocol/state.ts';

const million = 1_000_000;

test('the price that is shown is that of prompts that are not long, and unknown where it is', () => {
  expect(geminiPrice('gemini-2.5-pro')).toEqual({ input: 1.25, cached: 0.125, output: 10 });
  expect(geminiPrice('gemini-pro-latest')).toBeUndefined();
});

describe('what an answer costs', () => {
  test('output and thoughts cost the same', () => {
    expect(geminiCost('gemini-2.5-flash', { ...noUsage, output: million })).toBeCloseTo(2.5);
    expect(geminiCost('gemini-2.5-flash', { ...noUsage, thoughts: million })).toBeCloseTo(2.5);
  });

  test('what came from the cache is part of the prompt and is charged less', () => {
    const usage = { ...noUsage, prompt: 100_000, cached: 60_000 };
    expect(geminiCost('gemini-2.5-flash', usage)).toBeCloseTo(0.04 * 0.3 + 0.06 * 0.03);
  });

  test('a provider that reports more cached than sent does not make the answer cheaper than the cache', () => {
    const usage = { ...noUsage, prompt: 1_000, cached: 5_000 };
    expect(geminiCost('gemini-2.5-flash', usage)).toBeCloseTo(0.001 * 0.03);
  });

  test('a prompt above 200,000 tokens makes the whole request dearer where there are tiers', () => {
    const at = (prompt: number, model: string) => geminiCost(model, { ...noUsage, prompt, output: million });
    expect(at(200_000, 'gemini-2.5-pro')).toBeCloseTo(0.2 * 1.25 + 10);
    expect(at(200_001, 'gemini-2.5-pro')).toBeCloseTo(0.200001 * 2.5 + 15);
    expect(at(400_000, 'gemini-3.1-pro-preview')).toBeCloseTo(0.4 * 4 + 18);
    expect(at(400_000, 'gemini-2.5-flash')).toBeCloseTo(0.4 * 0.3 + 2.5);
  });

  test('previews and numbered versions cost what their model costs', () => {
    const usage = { ...noUsage, prompt: 1_000, output: 1_000 };
    const flash = geminiCost('gemini-2.5-flash', usage);
    for (const id of [
      'models/gemini-2.5-flash',
      'gemini-2.5-flash-001',
      'gemini-2.5-flash-preview-09-2025',
    ]) {
      expect(geminiCost(id, usage), id).toBe(flash);
    }
    expect(geminiCost('gemini-3.1-flash-lite-preview', usage)).toBe(
      geminiCost('gemini-3.1-flash-lite', usage),
    );
  });

  test('an unknown model, one for pictures and a name that moves have no price', () => {
    for (const id of [
      'rehearsal',
      'gemini-2.5-flash-image',
      'gemini-flash-latest',
      'gemini-9-pro',
      'constructor',
    ]) {
      expect(geminiCost(id, { ...noUsage, prompt: 1 }), id).toBeUndefined();
    }
  });
});
