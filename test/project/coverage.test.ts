import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';

/** Rows of the tables of docs/coverage.md. */
async function readRows(): Promise<
  readonly { system: string; temporaryRoots: string[]; tests: string[]; isMissing: boolean }[]
> {
  const text = await readFile(join(projectRoot, 'docs', 'coverage.md'), 'utf8');
  const pathsIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
  return text
    .split('\n')
    .filter(line => /^\| (?!Place)/.test(line))
    .map(line => {
      const [, , system = '', temporaryRoots, tests] = line.split('|').map(cell => cell.trim());
      const isMissing = temporaryRoots === 'missing' && tests === 'missing';
      return { system, temporaryRoots: pathsIn(temporaryRoots), tests: pathsIn(tests), isMissing };
    });
}

async function findMissing(paths: readonly string[], below: string): Promise<readonly string[]> {
  const isThere = (path: string) =>
    access(join(projectRoot, path)).then(
      () => true,
      () => false,
    );
  const missing: string[] = [];
  for (const path of paths) {
    const whole = /^(src|scripts)\//.test(path) ? path : join(below, path);
    if (!(await isThere(whole))) missing.push(path);
  }
  return missing;
}

it('what docs/coverage.md says of each system, a room and a test, is there', async () => {
  const rows = await readRows();
  const missing = rows.filter(({ isMissing }) => isMissing);
  const text = await readFile(join(projectRoot, 'docs', 'coverage.md'), 'utf8');
  // The documents ask for 177 things and more; a row may go only when another one says the same.
  expect(rows.length).toBeGreaterThanOrEqual(177);
  expect(text).toContain(`${rows.length}, of which ${missing.length} are missing.`);
  for (const { system, temporaryRoots, tests } of rows.filter(({ isMissing }) => !isMissing)) {
    expect(temporaryRoots, system).not.toEqual([]);
    expect(tests, system).not.toEqual([]);
    expect(await findMissing(temporaryRoots, 'src/extension'), system).toEqual([]);
    expect(await findMissing(tests, 'test'), system).toEqual([]);
  }
});
