import { expect } from 'vitest';
import { test } from './support/suite.ts';

test('what the extension API shows of Folio holds', async ({ openOwn, makeFolder }) => {
  // The first of them needs an extension host in which Folio was not used yet.
  const window = await openOwn({ folder: await makeFolder({}) });
  const names = await window.evaluate('listApiCases');
  expect(names.length).toBeGreaterThan(0);
  const failures: string[] = [];
  for (const name of names) {
    const failure = await window.evaluate('runApiCase', name);
    if (failure !== null) failures.push(`${name}: ${failure}`);
  }
  expect(failures).toEqual([]);
});
