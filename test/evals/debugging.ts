import { type Eval, failed, passed, type Turn } from './eval.ts';
import { callsIn } from './judging.ts';

const pagesTest = `import assert from 'node:assert';
import { test } from 'node:test';
import { page } from '../src/pages.mjs';

test('the first page begins with the first item', () => {
  assert.deepEqual(page([1, 2, 3, 4, 5], 1, 2), [1, 2]);
});
`;

const manifest = '{\n  "name": "pages",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n';

/** The test finds one end of the mistake; the rule checks the other, too. */
export const mendsFailingTest: Eval = {
  name: 'mends what a failing test shows',
  rule: 'the code is right for all pages, the test stays as it was, and something is run after the last edit',
  files: {
    'package.json': manifest,
    'src/pages.mjs': `/** Pages are counted from 1. */
export function page(items, number, size) {
  const from = number * size;
  return items.slice(from, from + size);
}
`,
    'test/pages.test.mjs': pagesTest,
  },
  attempt: async session => {
    const turn = await session.ask('npm test fails. Find out why and mend it.');
    const files = await session.readFiles();
    if (files['test/pages.test.mjs'] !== pagesTest) return failed('the test was changed');
    const problem = await session.check(`
      import { page } from './src/pages.mjs';
      const got = [1, 2, 3].map(number => page([1, 2, 3, 4, 5], number, 2).join('')).join(' ');
      if (got !== '12 34 5') throw new Error('pages are ' + got);`);
    if (problem !== undefined) return failed(problem);
    return runsAfterEdits(turn) ? passed : failed('nothing was run after the last edit');
  },
};

/** Where it shows is not where it comes from. */
export const findsCause: Eval = {
  name: 'mends the cause and not the symptom',
  rule: 'a mistake that one caller shows is mended where all callers get it right',
  files: {
    'package.json': manifest,
    'src/price.mjs': 'export function parsePrice(text) {\n  return Number(text);\n}\n',
    'src/order.mjs': `import { parsePrice } from './price.mjs';

export function describeOrder(order) {
  return \`\${order.name}: \${parsePrice(order.price) * order.count}\`;
}
`,
    'src/invoice.mjs': `import { parsePrice } from './price.mjs';

export function invoice(orders) {
  return orders.reduce((sum, { price, count }) => sum + parsePrice(price) * count, 0);
}
`,
  },
  attempt: async session => {
    await session.ask(
      'describeOrder() in src/order.mjs says NaN when a price is written with a comma, such as "3,50". Mend it.',
    );
    const problem = await session.check(`
      import { invoice } from './src/invoice.mjs';
      import { describeOrder } from './src/order.mjs';
      const order = { name: 'Tea', price: '3,50', count: 2 };
      if (describeOrder(order) !== 'Tea: 7') throw new Error('the order reads ' + describeOrder(order));
      if (invoice([order]) !== 7) throw new Error('the invoice is ' + invoice([order]));
      if (invoice([{ ...order, price: '3.50' }]) !== 7) throw new Error('a price with a point is wrong now');`);
    return problem === undefined ? passed : failed(problem);
  },
};

function runsAfterEdits(turn: Turn): boolean {
  const calls = callsIn(turn);
  const lastEdit = calls.findLastIndex(({ effect }) => effect === 'edit');
  return calls.findLastIndex(({ effect }) => effect === 'run') > lastEdit;
}
