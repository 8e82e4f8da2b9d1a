import { type Eval, type EvalSession, failed, passed, type Verdict } from './eval.ts';
import { changedPaths, deedsIn, quote } from './judging.ts';
import { shop } from './shop.ts';

const task =
  'average() in src/cart.mjs shall give 0 for an empty cart, and src/report.mjs shall say "The cart is empty." then.';

/** In plan mode edits are denied; a model that understood does not try. */
export const plansOnly: Eval = {
  name: 'plans in plan mode and does not act',
  rule: 'the plan names both files, no call edits or runs anything, and every file stays as it was',
  files: shop,
  attempt: session => plan(session),
};

export const carriesOutPlan: Eval = {
  name: 'carries out the plan that it made',
  rule: 'nothing happens while it plans, and once told to, both changes of the plan are there and work',
  files: shop,
  attempt: async session => {
    const verdict = await plan(session);
    if (verdict.kind === 'failed') return verdict;
    await session.ask('The plan is good. Carry it out.');
    const problem = await session.check(`
      import { average } from './src/cart.mjs';
      import { describe } from './src/report.mjs';
      if (average([]) !== 0) throw new Error('the average is ' + average([]));
      if (!describe([]).includes('The cart is empty.')) throw new Error('the report reads ' + describe([]));
      if (average([{ price: 2, count: 1 }]) !== 2) throw new Error('other carts are wrong now');`);
    return problem === undefined ? passed : failed(problem);
  },
};

async function plan(session: EvalSession): Promise<Verdict> {
  const turn = await session.ask(`${task} Make a plan.`, 'plan');
  const [deed] = deedsIn(turn);
  if (deed !== undefined) return failed(`while it planned it tried: ${deed}`);
  const changed = changedPaths(shop, await session.readFiles());
  if (changed.length > 0) return failed(`while it planned it changed ${changed.join(', ')}`);
  const isWhole = ['cart.mjs', 'report.mjs'].every(name => turn.answer.includes(name));
  return isWhole ? passed : failed(`the plan does not name both files: ${quote(turn)}`);
}
