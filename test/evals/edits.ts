import { type Eval, failed, passed } from './eval.ts';
import { findDifference, manyFiles } from './judging.ts';
import { shop } from './shop.ts';

const clients = ['search', 'payment', 'mail']
  .map(name => `export const ${name} = { timeoutSeconds: 30, retries: 2 };\r\n`)
  .join('');

/** Three lines that differ in a name, with the line endings of Windows. */
export const makesOneEdit: Eval = {
  name: 'makes the one change that was asked for',
  rule: 'one of three lines that are alike is changed, and every other byte of the workspace stays, line endings too',
  files: { ...shop, 'src/clients.mjs': clients },
  attempt: async session => {
    await session.ask(
      'Raise the timeout of the payment client in src/clients.mjs to 45 seconds. Change nothing else.',
    );
    const expected = clients.replace('payment = { timeoutSeconds: 30', 'payment = { timeoutSeconds: 45');
    const before = { ...shop, 'src/clients.mjs': clients };
    const why = findDifference('src/clients.mjs', expected, await session.readFiles(), before);
    return why === undefined ? passed : failed(why);
  },
};

const readme = '# Shop\n\n`total()` adds up a cart.\n';

export const renamesEverywhere: Eval = {
  name: 'renames in every place',
  rule: 'a function has its new name where it is made, used and described, and the code runs',
  files: { ...shop, 'README.md': readme },
  attempt: async session => {
    await session.ask('Rename total() in src/cart.mjs to sum(), everywhere it is used or written about.');
    const files = await session.readFiles();
    const left = Object.keys(files).filter(path => /\btotal\b/.test(files[path]!));
    if (left.length > 0) return failed(`total is left in ${left.join(', ')}`);
    const problem = await session.check(`
      import { sum } from './src/cart.mjs';
      import { describe } from './src/report.mjs';
      const cart = [{ price: 1.5, count: 2 }];
      if (sum(cart) !== 3 || !describe(cart).includes('3 in all')) throw new Error('it counts something else');`);
    return problem === undefined ? passed : failed(problem);
  },
};

const rates = Array.from(
  { length: 4000 },
  (_, index) => `export const rate${index + 1} = ${(index * 7) % 50};`,
);

/** Longer than what one reading gives. */
export const editsLongFile: Eval = {
  name: 'edits deep in a long file',
  rule: 'one line of four thousand is changed, and no other',
  files: {
    'src/rates.mjs': `${rates.join('\n')}\n`,
    ...manyFiles(3, number => [`src/use${number}.mjs`, '// empty\n']),
  },
  attempt: async session => {
    await session.ask('In src/rates.mjs set rate2718 to 99.');
    const expected = `${rates.join('\n')}\n`.replace(/(rate2718 = )\d+/, '$199');
    const why = findDifference('src/rates.mjs', expected, await session.readFiles(), editsLongFile.files);
    return why === undefined ? passed : failed(why);
  },
};
