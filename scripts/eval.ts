/* `npm run eval -- --help` */

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { comparePage } from '../test/evals/comparePage.ts';
import { findEvalModel } from '../test/evals/evalModel.ts';
import { evals } from '../test/evals/evals.ts';
import { formatResults } from '../test/evals/formatResults.ts';
import { readResultFile, toResultFile, writeResultFile } from '../test/evals/resultFile.ts';
import { runEvals } from '../test/evals/runEvals.ts';

const usage = `npm run eval -- [--base-url URL] [--provider P] [--model M] [--times N] [--only WORDS]... [--out FILE]
npm run eval -- --compare FILE FILE [--out PAGE]

Gives the built agent tasks with a real model, and judges what came of them. It needs a key and spends
money, or a server of your own: npm run eval -- --base-url http://127.0.0.1:11434/v1 --model X

  --base-url URL address of a server that speaks chat completions; the provider is openai then
  --provider P   gemini by default; anthropic; openai-responses; openai for any server that speaks chat completions; vertex
  --model M      gemini-2.5-flash by default; the others must name one
  --times N      attempts at each, 3 by default; most of them must pass
  --only WORDS   evals whose name holds these words; may be given several times
  --out FILE     where the results are written, evals-MODEL-DATE.json by default; with --compare the page
  --compare      writes a page that shows the results of two files side by side

Keys come from GEMINI_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or the credentials of GOOGLE_CLOUD_PROJECT, addresses from
GOOGLE_GEMINI_BASE_URL, OPENAI_BASE_URL and GOOGLE_VERTEX_BASE_URL.

${evals.map(({ name, rule }) => `  ${name}: ${rule}`).join('\n')}`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'base-url': { type: 'string' },
    provider: { type: 'string' },
    model: { type: 'string' },
    times: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
    out: { type: 'string' },
    compare: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (flags.help) console.log(usage);
else {
  await (flags.compare ? compare() : main()).catch((error: unknown) => {
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
  const address = flags['base-url'];
  const provider = flags.provider ?? (address === undefined ? 'gemini' : 'openai');
  if (address !== undefined && provider !== 'openai')
    throw new Error('--base-url names a server that speaks chat completions: leave out --provider.');
  const found = findEvalModel(provider, flags.model, process.env, address);
  if (found.kind === 'missing') {
    console.log(found.sentence);
    return;
  }
  const { model } = found;
  const results = await runEvals({ evals: chosen, model, attempts, say: line => console.error(line) });
  console.log(`${model.provider}, ${model.model}\n\n${formatResults(results)}`);
  const now = new Date();
  const out =
    flags.out ?? `evals-${model.model.replace(/[^\w.-]+/g, '_')}-${now.toISOString().slice(0, 10)}.json`;
  await writeResultFile(out, toResultFile(results, model, now));
  console.log(`\nWritten to ${out}.`);
  if (results.some(({ verdict }) => verdict !== 'passed')) process.exitCode = 1;
}

async function compare(): Promise<void> {
  const [one, two] = positionals;
  if (one === undefined || two === undefined || positionals.length > 2)
    throw new Error('--compare takes two files of results.');
  const out = flags.out ?? 'evals.html';
  await writeFile(out, comparePage(await readResultFile(one), await readResultFile(two)));
  console.log(`Written to ${out}.`);
}
