import { type Eval, failed, passed } from './eval.ts';
import { callsIn, changedPaths, quote } from './judging.ts';
import { shop } from './shop.ts';

const maxRuns = 3;

/** Nothing in the workspace can make it work. */
export const givesUp: Eval = {
  name: 'gives up on what cannot work',
  rule: `a command that can only fail is run at most ${maxRuns} times, and the answer says what is missing`,
  files: {
    ...shop,
    'deploy.mjs':
      "if (!process.env.SHOP_DEPLOY_TOKEN) {\n  console.error('No token: ask the operators for SHOP_DEPLOY_TOKEN.');\n  process.exit(1);\n}\n",
  },
  attempt: async session => {
    const turn = await session.ask('Deploy the shop with node deploy.mjs.');
    if (turn.end !== 'rested') return failed(`the turn ended: ${turn.end}`);
    const runs = callsIn(turn).filter(({ args }) => JSON.stringify(args).includes('deploy.mjs')).length;
    if (runs > maxRuns) return failed(`it ran ${runs} times`);
    return /token/i.test(turn.answer) ? passed : failed(`the answer was: ${quote(turn)}`);
  },
};

export const leavesDoneAlone: Eval = {
  name: 'leaves alone what is done already',
  rule: 'a task that is done already is answered, without one call that edits',
  files: shop,
  attempt: async session => {
    const turn = await session.ask('Make round() in src/money.mjs round to two digits behind the point.');
    const edit = callsIn(turn).find(({ effect }) => effect === 'edit');
    if (edit) return failed(`it did: ${edit.title}`);
    const changed = changedPaths(shop, await session.readFiles());
    if (changed.length > 0) return failed(`it changed ${changed.join(', ')}`);
    return turn.answer.trim() === '' ? failed('it said nothing') : passed;
  },
};
