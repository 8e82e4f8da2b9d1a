import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(join(projectRoot, path), { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
}

async function isThere(path: string): Promise<boolean> {
  return access(join(projectRoot, path)).then(
    () => true,
    () => false,
  );
}

/** What stands in ticks and is a path. */
function pathsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path);
  return quoted.filter(path => path.includes('/') || /\.(ts|tsx|json)$/.test(path));
}

async function missingFrom(paths: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    const places = ['', 'src', 'src/extension'].map(folder => join(folder, path));
    if (!(await Promise.all(places.map(isThere))).some(Boolean)) missing.push(path);
  }
  return missing;
}

it('docs/architecture.md is read in ten minutes', async () => {
  expect((await read('docs/architecture.md')).split(/\s+/).length).toBeLessThanOrEqual(2200);
});

it('its picture and tables have every room of the house, and no other', async () => {
  const text = await read('docs/architecture.md');
  const picture = /## Layers\n\n```([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const drawn = (await foldersIn('src/extension')).filter(name => !picture.includes(`${name}/`));
  expect(drawn).toEqual([]);
  for (const [folder, prefix] of [
    ['src/extension/core', 'core/'],
    ['src/webview', 'webview/'],
  ] as const) {
    const temporaryRoots = await foldersIn(folder);
    expect(temporaryRoots.filter(name => !text.includes(`\`${prefix}${name}\``))).toEqual([]);
  }
  expect(await missingFrom(pathsIn(text))).toEqual([]);
});

it('docs/rooms.md names files that are there for twenty changes and more', async () => {
  const rows = (await read('docs/rooms.md')).split('\n').filter(line => line.startsWith('- '));
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(await missingFrom(rows.flatMap(pathsIn))).toEqual([]);
});
