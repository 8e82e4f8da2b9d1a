/* A limit in dollars over every model that has a list price: what is spent beyond it is one answer at most. */

import { expect, test } from 'vitest';
import { listPrices } from '../../src/extension/models/listPrices.ts';
import { PriceCalculator } from '../../src/extension/models/prices.ts';
import { providerNames } from '../../src/extension/platform/settings.ts';
import { noUsage } from '../../src/protocol/state.ts';
import { makeWorld } from '../support/conversation.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';
import type { ScriptedAnswer } from '../support/scriptedModel.ts';

const prices = new PriceCalculator(() => ({}), { now: () => Date.parse('2026-11-23') });
const names = listPrices.flatMap(({ models }) => Object.keys(models));

test.each(names)('%s', { timeout: 120_000 }, async model => {
  const provider = providerNames.find(name => prices.costOf(name, model, { ...noUsage, prompt: 1 }))!;
  const tokens = (most: number) => fc.integer({ min: 1, max: most });
  const usages = fc.record({
    prompt: tokens(900_000),
    cached: tokens(900_000),
    written: tokens(50_000),
    output: tokens(60_000),
    thoughts: tokens(60_000),
  });
  const steps = fc.array(usages, { minLength: 8, maxLength: 8 });
  const limits = fc.double({ min: 0.01, max: 8, noNaN: true });
  await fc.assert(
    fc.asyncProperty(steps, limits, async (usages, limit) => {
      const costs = usages.map(usage => prices.costOf(provider, model, usage)!);
      const { end, spent } = await runCosting(costs, limit);
      expect(spent).toEqual(costs.slice(0, spent.length));
      expect(sum(spent.slice(0, -1))).toBeLessThan(limit);
      if (end.kind === 'budget') expect(sum(spent)).toBeGreaterThanOrEqual(limit);
      else expect([end, spent]).toEqual([{ kind: 'rested' }, costs]);
    }),
    { numRuns: runSize({ test: 1, prove: 100 }) },
  );
});

/** A prompt whose answers cost so much, one after the other, and all but the last of which call a tool. */
async function runCosting(costs: readonly number[], limit: number) {
  const calls = costs.slice(1).map((_cost, at): ScriptedAnswer => {
    const args = { file_path: 'a.txt', start_line: at + 1 };
    return { parts: [{ kind: 'call', id: `c${at}`, name: 'read_file', args }] };
  });
  const world = makeWorld({
    mode: 'yolo',
    files: { 'a.txt': 'a\n'.repeat(20) },
    answers: [...calls, { parts: [{ kind: 'text', text: 'Done.' }] }],
    budgets: [{ kind: 'money', scope: 'turn', limit }],
    costOf: () => costs[world.events.filter(({ type }) => type === 'step.ended').length],
  });
  const end = await world.session.send('go');
  await world.session.dispose();
  const spent = world.events.flatMap(event => (event.type === 'step.ended' ? [event.cost] : []));
  return { end, spent: spent.filter(cost => cost !== undefined) };
}

function sum(costs: readonly number[]): number {
  return costs.reduce((all, each) => all + each, 0);
}
