import { expect, it } from 'vitest';
import type { BudgetLimit } from '../../../src/extension/core/limitSettings.ts';
import { listPrices } from '../../../src/extension/models/listPrices.ts';
import { PriceCalculator } from '../../../src/extension/models/prices.ts';
import { makeWorld } from '../../support/conversation.ts';
import { fc } from '../../support/properties.ts';
import type { ScriptedAnswer } from '../../support/scriptedModel.ts';

const priced = listPrices.flatMap(({ models }) => Object.keys(models));
const prices = new PriceCalculator(() => ({}), { now: () => Date.parse('2026-11-23') });

function answers(steps: number): ScriptedAnswer[] {
  return Array.from({ length: steps }, (_, at) => {
    const args = { file_path: 'a.txt', from: at };
    return { parts: [{ kind: 'call', id: `c${at}`, name: 'read_file', args }] };
  });
}

/** Of each step, in order. */
async function costsUntilTheLimit(model: string, { scope, limit }: Pick<BudgetLimit, 'scope' | 'limit'>) {
  const { session, events } = makeWorld({
    mode: 'yolo',
    files: { 'a.txt': 'a' },
    answers: answers(12),
    budgets: [{ kind: 'money', scope, limit }],
    costOf: (_asked, usage) => prices.costOf('openai', model, usage),
  });
  try {
    const end = await session.send('go');
    const costs = events.flatMap(event => (event.type === 'step.ended' ? [event.cost ?? Number.NaN] : []));
    return { end, costs };
  } finally {
    await session.dispose();
  }
}

it('a limit in dollars is passed by less than one step, whatever listed model answers', async () => {
  const scope = fc.constantFrom('turn' as const, 'session' as const);
  const share = fc.double({ min: 0.01, max: 8, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...priced), scope, share, async (model, of, steps) => {
      const one = prices.costOf('openai', model, { prompt: 100, cached: 0, output: 10, thoughts: 0 })!;
      const limit = one * steps;
      const { end, costs } = await costsUntilTheLimit(model, { scope: of, limit });
      const spent = costs.reduce((sum, cost) => sum + cost, 0);
      expect(end).toMatchObject({ kind: 'budget', budget: { kind: 'money', scope: of, limit } });
      expect(spent).toBeGreaterThanOrEqual(limit);
      expect(spent - costs.at(-1)!).toBeLessThan(limit);
    }),
  );
});

it('a sum that leaves out answers without a price says so, of the turn, its chapter and the session', async () => {
  let asked = 0;
  const costOf = () => (++asked > 2 ? undefined : 0.25);
  const made = makeWorld({ mode: 'yolo', files: { 'a.txt': 'a' }, answers: answers(3), maxSteps: 3, costOf });
  await made.session.send('go');
  const { state } = made.session;
  expect(state).toMatchObject({ cost: 0.25, unpriced: true });
  expect(state.chapters[0]).toMatchObject({ cost: 0.25, unpriced: true });
  const priced = makeWorld({ answers: [{ parts: [{ kind: 'text', text: 'ok' }] }], costOf: () => 0.25 });
  await priced.session.send('go');
  expect(priced.session.state.unpriced).toBeUndefined();
  await Promise.all([made.session.dispose(), priced.session.dispose()]);
});
