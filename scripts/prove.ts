/* Runs what proves by number, in its large dose. `npm test` has a small dose of each. */

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { run } from './run.ts';
import { findProofs, type Proof } from './testing/proofs.ts';

const proofs = await findProofs();

const usage = `npm run prove [-- NAME...] [--seed N]

  --seed N   draws the same chances as the run that printed this seed

Proofs:
${proofs.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}`;

await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.find(name => !proofs.some(proof => proof.name === name));
  if (values.help || unknown !== undefined) {
    console.log(values.help ? usage : `There is no proof "${unknown}".\n\n${usage}`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const wanted = proofs.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const first = randomInt(2 ** 31 - 1);
  const runs = wanted.flatMap(proof => seedsOf(proof, first, values.seed).map(seed => ({ proof, seed })));
  const failed: string[] = [];
  for (const { proof, seed } of runs) {
    const again = `npm run prove -- ${proof.name} --seed ${seed}`;
    console.log(`\n── ${proof.name}, seed ${seed} (${again})`);
    const filter = proof.tag === undefined ? [] : [`--tags-filter=${proof.tag}`];
    const code = await run('vitest', ['run', '--config', proof.config, ...filter, ...proof.files], {
      env: { FOLIO_DOSE: 'prove', FOLIO_SEED: seed },
    });
    if (code !== 0) failed.push(again);
  }
  console.log(`\n${runs.length - failed.length} passed, ${failed.length} failed`);
  for (const again of failed) console.log(`To repeat: ${again}`);
  if (failed.length > 0) process.exitCode = 1;
}

function seedsOf({ seeds = 1 }: Proof, first: number, named: string | undefined): readonly string[] {
  return named === undefined ? Array.from({ length: seeds }, (_, at) => String(first + at)) : [named];
}
