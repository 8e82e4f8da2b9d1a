/* `npm run eval -- --help` */

import { parseArgs } from 'node:util';
import { findEvalModel } from '../test/evals/evalModel.ts';
import { evals } from '../test/evals/evals.ts';
import { formatResults } from '../test/evals/formatResults.ts';
import { runEvals } from '../test/evals/runEvals.ts';

const usage = `npm run eval -- [--provider P] [--model M] [--times N] [--only WORDS]...

Gives the built agent tasks with a real model, and judges what came of them. It needs a key and spends money.

  --provider P   gemini by default; anthropic; openai-responses; openai for any server that speaks chat completions; vertex
  --model M      gemini-2.5-flash by default; the others must name one
  --times N      attempts at each, 3 by default; most of them must pass
  --only WORDS   evals whose name holds these words; may be given several times

Keys come from GEMINI_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or the credentials of GOOGLE_CLOUD_PROJECT, addresses from
GOOGLE_GEMINI_BASE_URL, OPENAI_BASE_URL and GOOGLE_VERTEX_BASE_URL.

${evals.map(({ name, rule }) => `  ${name}: ${rule}`).join('\n')}`;

const { values: flags } = parseArgs({
  options: {
    provider: { type: 'string', default: 'gemini' },
    model: { type: 'string' },
    times: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
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
  const chosen = flags.only
    ? evals.filter(({ name }) => flags.only!.some(words => name.includes(words)))
    : evals;
  if (chosen.length === 0) throw new Error(`There is no such eval.\n\n${usage}`);
  const attempts = Number(flags.times);
  if (!Number.isInteger(attempts) || attempts < 1) throw new Error('--times takes a whole number from 1.');
  const found = findEvalModel(flags.provider, flags.model, process.env);
  if (found.kind === 'missing') {
    console.log(found.sentence);
    return;
  }
  const { model } = found;
  const results = await runEvals({ evals: chosen, model, attempts, say: line => console.error(line) });
  console.log(`${model.provider}, ${model.model}\n\n${formatResults(results)}`);
  if (results.some(({ verdict }) => verdict !== 'passed')) process.exitCode = 1;
}
