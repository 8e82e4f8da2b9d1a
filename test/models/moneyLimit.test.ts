/* A limit in dollars over every model that has a list price: what is spent beyond it is one answer at most. */

import { expect, test } from 'vitest';
import { listPrices } from '../../src/extension/models/listPrices.ts';
import { Prices } from '../../src/extension/models/prices.ts';
import { providerNames } from '../../src/extension/platform/settings.ts';
import { noUsage } from '../../src/protocol/state.ts';
import { makeWorld } from '../support/conversation.ts';
import { chanceFrom, seed } from '../support/dose.ts';
import type { ScriptedAnswer } from '../support/scriptedModel.ts';

const prices = new Prices(() => ({}), { now: () => Date.parse('2026-11-23') });
const names = listPrices.flatMap(({ models }) => Object.keys(models));
const most = 8;
const rounds = 3;

test.each(names)('%s', { timeout: 120_000 }, async model => {
  const provider = providerNames.find(name => prices.costOf(name, model, { ...noUsage, prompt: 1 }))!;
  const random = chanceFrom(seed);
  const upTo = (limit: number) => Math.ceil(random() * limit);
  for (let round = 0; round < rounds; round++) {
    const limit = 0.01 + random() * 8;
    const calls = Array.from({ length: most - 1 }, (_, at): ScriptedAnswer => {
      const args = { file_path: 'a.txt', start_line: at + 1 };
      return { parts: [{ kind: 'call', id: `c${at}`, name: 'read_file', args }] };
    });
    const world = makeWorld({
      mode: 'yolo',
      files: { 'a.txt': 'a\n'.repeat(20) },
      answers: [...calls, { parts: [{ kind: 'text', text: 'Done.' }] }],
      budgets: [{ kind: 'money', scope: 'turn', limit }],
      costOf: () => {
        const usage = { prompt: upTo(900_000), cached: upTo(900_000), written: upTo(50_000) };
        return prices.costOf(provider, model, { ...usage, output: upTo(60_000), thoughts: upTo(60_000) });
      },
    });
    const end = await world.session.send('go');
    await world.session.dispose();
    const spent = world.events.flatMap(event => (event.type === 'step.ended' ? [event.cost ?? 0] : []));
    const before = sum(spent.slice(0, -1));
    expect(before, `seed ${seed}, round ${round}`).toBeLessThan(limit);
    if (end.kind === 'budget') expect(sum(spent)).toBeGreaterThanOrEqual(limit);
    else expect([end, spent.length]).toEqual([{ kind: 'rested' }, most]);
  }
});

function sum(costs: readonly number[]): number {
  return costs.reduce((all, each) => all + each, 0);
}
