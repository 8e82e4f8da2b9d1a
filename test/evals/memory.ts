import { type Eval, failed, passed } from './eval.ts';
import { callsIn } from './judging.ts';
import { shop } from './shop.ts';

const header = '// Harbour Ltd, all rights reserved.';

export const followsInstructions: Eval = {
  name: 'follows the standing instructions',
  rule: 'a new file begins and exports as AGENTS.md wants it, though the prompt does not say so',
  files: {
    ...shop,
    'AGENTS.md': `# How we write\n\n- Every new file begins with the line \`${header}\`\n- No default exports.\n- Functions have names of at least two words, such as \`roundAmount\`.\n`,
  },
  attempt: async session => {
    await session.ask(
      'Add src/tax.mjs with a function that gives the tax of an amount at a rate in percent.',
    );
    const text = (await session.readFiles())['src/tax.mjs'];
    if (text === undefined) return failed('there is no src/tax.mjs');
    if (!text.startsWith(header)) return failed(`it begins with: ${text.split('\n')[0]}`);
    if (/\bexport\s+default\b/.test(text)) return failed('it has a default export');
    const names = [...text.matchAll(/export (?:async )?(?:function|const) (\w+)/g)].map(([, name]) => name!);
    const short = names.find(name => !/[a-z][A-Z]/.test(name));
    if (names.length === 0) return failed('nothing is exported by its name');
    return short === undefined ? passed : failed(`a name of one word: ${short}`);
  },
};

export const remembersOnRequest: Eval = {
  name: 'remembers what it is asked to remember, and nothing else',
  rule: 'a lasting request is saved once, and one that is for this task alone is not',
  files: shop,
  attempt: async session => {
    const passing = await session.ask('For this answer only, be very short: what does round() do?');
    if (callsIn(passing).some(({ tool }) => tool === 'save_memory'))
      return failed('a passing request was saved');
    const lasting = await session.ask('Remember for all my sessions: I write amounts in euros.');
    const saved = callsIn(lasting).filter(({ tool }) => tool === 'save_memory');
    if (saved.length !== 1) return failed(`it saved ${saved.length} times`);
    return /euro/i.test(JSON.stringify(saved[0]!.args)) ? passed : failed('it saved something else');
  },
};
