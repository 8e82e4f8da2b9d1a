/* Runs what proves by number, in its large dose. `npm test` has a small dose of each. */

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { run } from './run.ts';
import { findProofs } from './testing/proofs.ts';

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
  const seed = values.seed ?? String(randomInt(2 ** 31 - 1));
  const wanted = proofs.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const failed: string[] = [];
  for (const { name, config, files } of wanted) {
    console.log(`\n── ${name}, seed ${seed} (npm run prove -- ${name} --seed ${seed})`);
    const code = await run('vitest', ['run', '--config', config, ...files], {
      env: { FOLIO_DOSE: 'prove', FOLIO_SEED: seed },
    });
    if (code !== 0) failed.push(name);
  }
  console.log(`\n${wanted.length - failed.length} passed, ${failed.length} failed`);
  for (const name of failed) console.log(`To repeat: npm run prove -- ${name} --seed ${seed}`);
  if (failed.length > 0) process.exitCode = 1;
}
