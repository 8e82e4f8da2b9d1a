import { expect, test } from 'vitest';
import { readSources } from '../support/sourceFiles.ts';

/** Files share a process, so a variable that one forgets is another's: `vi.stubEnv` puts back what was there. */
test('no test writes a variable of the environment by its name', async () => {
  const written = /\bprocess\.env\.\w+ =(?!=)|\bdelete process\.env\.\w+/g;
  const found = (await readSources('test')).flatMap(({ path, text }) =>
    [...text.matchAll(written)].map(([words]) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});
