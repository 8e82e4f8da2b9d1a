import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { runVitest } from '../../scripts/testing/vitestStage.ts';

/** Runs these files of tests in a folder of their own. */
async function runFiles(files: Readonly<Record<string, string>>) {
  // Below the project, where vitest is found.
  const folder = await mkdtemp(join(projectRoot, 'node_modules', '.stage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const all = {
    ...files,
    'config.mjs': `export default { root: ${JSON.stringify(folder)}, test: { include: ['*.check.mjs'] } };`,
  };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  return await runVitest(join(folder, 'config.mjs'), { label: 'inner' });
}

const head = "import { existsSync, writeFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\n";
const passes = "test('passes', () => {});\n";
const breaks = "test('breaks', () => expect(1).toBe(2));\n";
/** Fails the first time. */
const slow = `test('is slow', () => {
  const mark = new URL('./mark', import.meta.url);
  const isFirst = !existsSync(mark);
  writeFileSync(mark, '');
  expect(isFirst).toBe(false);
});\n`;

test('what passes when it runs again alone is flaky, and what fails again has failed', async () => {
  const { counts, flaky, failed } = await runFiles({
    'a.check.mjs': head + passes,
    'b.check.mjs': head + passes + slow,
    'c.check.mjs': head + breaks,
  });
  expect(counts).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(flaky.map(({ name }) => name)).toEqual([expect.stringMatching(/b\.check\.mjs › is slow$/)]);
  expect(failed.map(({ name }) => name)).toEqual([expect.stringMatching(/c\.check\.mjs › breaks$/)]);
});

test('more files than fail by chance do not run again', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const slowOnce = (name: string) => head + slow.replace('./mark', `./mark-${name}`);
  const { counts, flaky } = await runFiles(
    Object.fromEntries(names.map(name => [`${name}.check.mjs`, slowOnce(name)])),
  );
  expect({ counts, flaky }).toEqual({ counts: { passed: 0, failed: 4, skipped: 0 }, flaky: [] });
});

test('a file that cannot be loaded has failed', async () => {
  const { counts, failed } = await runFiles({ 'a.check.mjs': "import './nothing.mjs';\n" });
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(failed.map(({ name }) => name)).toEqual([expect.stringMatching(/a\.check\.mjs$/)]);
});
