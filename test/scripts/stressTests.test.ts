import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { findStressTests } from '../../scripts/testing/stressTests.ts';
import { findImports, readSources, resolveImport } from '../support/sourceFiles.ts';

test('every test with two run sizes has its large one in a proof', async () => {
  const proven = (await findStressTests()).flatMap(({ files }) => files);
  const dosed = (await readSources('test'))
    .filter(({ path }) => matchesGlob(path, '**/*.{test,spec}.{ts,tsx}'))
    .filter(({ path, text }) =>
      findImports(text).some(name => resolveImport(path, name) === 'test/support/runSize.ts'),
    )
    .map(({ path }) => path);
  expect(dosed.length).toBeGreaterThan(20);
  expect(dosed.filter(path => !proven.some(file => path.startsWith(file)))).toEqual([]);
});

test('nothing is drawn by chance but from the seed of the run', async () => {
  const own = (await readSources('test')).filter(({ path, text }) =>
    findImports(text).includes('fast-check') ? path !== 'test/support/properties.ts' : false,
  );
  expect(own.map(({ path }) => path)).toEqual([]);
});

test('every proof is asked for by a name of its own', async () => {
  const names = (await findStressTests()).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
