import { expect } from 'vitest';
import { test } from './support/suite.ts';

test('what the extension API shows of Folio holds', async ({ open, makeFolder }) => {
  const window = await open({ folder: await makeFolder({}) });
  const names = await window.evaluate('listApiCases');
  expect(names.length).toBeGreaterThan(0);
  const failures: string[] = [];
  for (const name of names) {
    const failure = await window.evaluate('runApiCase', name);
    if (failure !== null) failures.push(`${name}: ${failure}`);
  }
  expect(failures).toEqual([]);
});
