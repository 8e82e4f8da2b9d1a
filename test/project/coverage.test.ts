import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';

interface Item {
  readonly text: string;
  /** Of tests; none for what is missing. */
  readonly paths: readonly string[];
}

/** Lines of docs/coverage.md: a sentence, and in parentheses at its end what shows it. */
function itemsOf(page: string): readonly Item[] {
  const lines = page.split('\n').filter(line => line.startsWith('- '));
  return lines.map(text => {
    const [, shown = ''] = /\(([^()]*)\)$/.exec(text) ?? [];
    return { text, paths: [...shown.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path) };
  });
}

async function findMissing(paths: readonly string[]): Promise<readonly string[]> {
  const isThere = (path: string) =>
    access(join(projectRoot, 'test', path)).then(
      () => true,
      () => false,
    );
  const missing: string[] = [];
  for (const path of paths) if (!(await isThere(path))) missing.push(path);
  return missing;
}

it('docs/coverage.md names a test that is there for each thing', async () => {
  const page = await readFile(join(projectRoot, 'docs', 'coverage.md'), 'utf8');
  const items = itemsOf(page);
  const missing = items.filter(({ text }) => text.endsWith('(missing)'));
  // The documents ask for 177 things and more; a line may go only when another one says the same.
  expect(items.length).toBeGreaterThanOrEqual(177);
  expect(page).toContain(`${items.length} things, of which ${missing.length} are missing.`);
  for (const { text, paths } of items.filter(item => !missing.includes(item))) {
    expect(paths, text).not.toEqual([]);
    expect(await findMissing(paths), text).toEqual([]);
  }
});
