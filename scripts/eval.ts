/* `npm run eval -- --help` */

import { parseArgs } from 'node:util';
import { evals } from '../test/evals/evals.ts';
import { formatResults, runEvals } from '../test/evals/runEvals.ts';

const usage = `npm run eval -- [--only WORDS]... [--model M] [--attempts N]

Gives the built agent tasks with a real model, and judges what came of them. It needs GEMINI_API_KEY and spends money.

  --only WORDS   evals whose name holds these words; may be given several times
  --model M      gemini-2.5-flash by default
  --attempts N   attempts at each, 3 by default; most of them must pass

${evals.map(({ name, rule }) => `  ${name}: ${rule}`).join('\n')}`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    model: { type: 'string', default: 'gemini-2.5-flash' },
    attempts: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

if (flags.help) console.log(usage);
else {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

async function main(): Promise<void> {
  const { GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_GEMINI_BASE_URL } = process.env;
  const apiKey = GEMINI_API_KEY?.trim() || GOOGLE_API_KEY?.trim();
  if (!apiKey) {
    console.log('The evals were skipped, because there is no key: set GEMINI_API_KEY to run them.');
    return;
  }
  const chosen = flags.only
    ? evals.filter(({ name }) => flags.only!.some(words => name.includes(words)))
    : evals;
  if (chosen.length === 0) throw new Error(`There is no such eval.\n\n${usage}`);
  const attempts = Number(flags.attempts);
  if (!Number.isInteger(attempts) || attempts < 1) throw new Error('--attempts takes a whole number from 1.');
  const model = { apiKey, baseUrl: GOOGLE_GEMINI_BASE_URL?.trim() || undefined, model: flags.model };
  const results = await runEvals({ evals: chosen, model, attempts, say: line => console.error(line) });
  console.log(`${flags.model}\n\n${formatResults(results)}`);
  if (results.some(({ verdict }) => verdict !== 'passed')) process.exitCode = 1;
}
