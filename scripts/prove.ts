/* Runs property and stress tests in their large run size. `npm test` uses a small one. */

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { run } from './run.ts';
import { findStressTests, type StressTest } from './testing/stressTests.ts';

const stressTests = await findStressTests();

const usage = `npm run prove [-- NAME...] [--seed N]

  --seed N   draws the same chances as the run that printed this seed

Proofs:
${stressTests.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}`;

await main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string' }, help: { type: 'boolean' } },
  });
  const unknown = positionals.find(name => !stressTests.some(stressTest => stressTest.name === name));
  if (values.help || unknown !== undefined) {
    console.log(values.help ? usage : `There is no proof "${unknown}".\n\n${usage}`);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const wanted = stressTests.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const first = randomInt(2 ** 31 - 1);
  const runs = wanted.flatMap(stressTest =>
    seedsOf(stressTest, first, values.seed).map(seed => ({ stressTest, seed })),
  );
  const failed: string[] = [];
  for (const { stressTest, seed } of runs) {
    const again = `npm run prove -- ${stressTest.name} --seed ${seed}`;
    console.log(`\n── ${stressTest.name}, seed ${seed} (${again})`);
    const filter = stressTest.tag === undefined ? [] : [`--tags-filter=${stressTest.tag}`];
    const code = await run('vitest', ['run', '--config', stressTest.config, ...filter, ...stressTest.files], {
      env: { FOLIO_DOSE: 'prove', FOLIO_SEED: seed },
    });
    if (code !== 0) failed.push(again);
  }
  console.log(`\n${runs.length - failed.length} passed, ${failed.length} failed`);
  for (const again of failed) console.log(`To repeat: ${again}`);
  if (failed.length > 0) process.exitCode = 1;
}

function seedsOf({ seeds = 1 }: StressTest, first: number, named: string | undefined): readonly string[] {
  return named === undefined ? Array.from({ length: seeds }, (_, at) => String(first + at)) : [named];
}
