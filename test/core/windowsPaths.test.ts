/*
 * Paths by the rules of Windows. Every place that reads or shows one takes the rules of the machine from `node:path`:
 * here these places are bundled over `node:path/win32`, so that they are driven as they run there.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { folderContains, formatPathIn } from '../../src/extension/core/folderPaths.ts';
import type { formatMention } from '../../src/extension/core/mentions/formatMention.ts';
import type { parseMentions } from '../../src/extension/core/mentions/parseMentions.ts';
import type { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { findProtection } from '../../src/extension/core/protectedPaths.ts';
import type { nameOfFolder, withFolderName } from '../../src/protocol/words/folderNames.ts';
import { repositoryRoot } from '../support/sourceFiles.ts';

interface Bundled {
  readonly folderContains: typeof folderContains;
  readonly formatPathIn: typeof formatPathIn;
  readonly parseMentions: typeof parseMentions;
  readonly formatMention: typeof formatMention;
  readonly WorkspacePaths: typeof WorkspacePaths;
  readonly findProtection: typeof findProtection;
  readonly nameOfFolder: typeof nameOfFolder;
  readonly withFolderName: typeof withFolderName;
}

const sources = [
  'src/extension/core/folderPaths.ts',
  'src/extension/core/paths.ts',
  'src/extension/core/protectedPaths.ts',
  'src/extension/core/mentions/parseMentions.ts',
  'src/extension/core/mentions/formatMention.ts',
  'src/protocol/words/folderNames.ts',
];
const alpha = 'C:\\work\\alpha';
const beta = 'D:\\beta';
const folders = [alpha, beta];

describe('by the rules of Windows', () => {
  let scratch: string;
  let windows: Bundled;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'folio-windows-'));
    const entry = join(scratch, 'entry.ts');
    const lines = sources.map(source => `export * from ${JSON.stringify(join(repositoryRoot, source))};`);
    await writeFile(entry, lines.join('\n'));
    const outfile = join(scratch, 'windows.mjs');
    const alias = { 'node:path': 'node:path/win32' };
    await build({ entryPoints: [entry], outfile, alias, bundle: true, format: 'esm', platform: 'node' });
    windows = (await import(pathToFileURL(outfile).href)) as Bundled;
  });

  afterAll(() => rm(scratch, { recursive: true, force: true }));

  const gate = () => {
    const files = {
      realPath: async (path: string) => path,
      list: async () => [{ name: 'src', kind: 'directory' as const }],
    };
    return new windows.WorkspacePaths(files, folders);
  };

  test.each([
    ['C:\\work\\alpha\\src\\a.ts', 'src/a.ts'],
    ['C:\\work\\alphabet\\a.ts', 'C:/work/alphabet/a.ts'],
    ['D:\\beta\\b.ts', 'D:/beta/b.ts'],
    ['src/a.ts', 'src/a.ts'],
  ])('%s is shown as %s', (path, shown) => {
    expect(windows.formatPathIn(alpha, path)).toBe(shown);
  });

  test.each([
    ['C:\\work\\alpha', true],
    ['c:\\WORK\\Alpha\\a.ts', true],
    ['C:\\work\\alpha\\..\\other', false],
    ['C:\\work\\alphabet', false],
    ['D:\\work\\alpha\\a.ts', false],
    ['\\\\server\\share\\a.ts', false],
  ])('%s lies in the folder: %s', (path, inside) => {
    expect(windows.folderContains(alpha, path)).toBe(inside);
  });

  test.each([
    ['src/a.ts', 'alpha/src/a.ts'],
    ['D:/beta/src/b.ts', 'beta/src/b.ts'],
    ['D:\\beta\\src\\b.ts', 'beta/src/b.ts'],
    ['E:/elsewhere.ts', 'E:/elsewhere.ts'],
  ])('a user reads %s as %s', (path, read) => {
    expect(windows.withFolderName(path, folders)).toBe(read);
  });

  test.each([
    ['src\\a.ts', 'C:\\work\\alpha\\src\\a.ts'],
    ['src/a.ts', 'C:\\work\\alpha\\src\\a.ts'],
    ['beta/b.ts', 'D:\\beta\\b.ts'],
    ['beta\\b.ts', 'D:\\beta\\b.ts'],
    ['.\\beta\\b.ts', 'D:\\beta\\b.ts'],
    ['D:/beta/b.ts', 'D:\\beta\\b.ts'],
  ])('%s leads to %s', async (path, real) => {
    const place = await gate().locate(path, 'read');
    expect(place.kind === 'inside' && join(place.path)).toBe(real);
  });

  test.each(['..\\other\\a.ts', 'C:\\Windows\\win.ini', '\\\\server\\share\\a.ts', 'beta\\..\\..\\a.ts'])(
    '%s leads out of the workspace',
    async path => {
      expect((await gate().locate(path, 'read')).kind).toBe('refused');
    },
  );

  test.each([
    ['C:\\work\\alpha\\src\\a.ts', 'src/a.ts'],
    ['D:\\beta\\b.ts', 'D:/beta/b.ts'],
  ])('tools are given %s as %s, which leads there again', async (path, shown) => {
    expect(await gate().show(path)).toBe(shown);
    const place = await gate().locate(shown, 'read');
    expect(place).toMatchObject({ kind: 'inside', path });
  });

  test.each(['.git\\hooks\\pre-commit', '.git\\config', 'deep\\.env', '.gemini\\settings.json'])(
    '%s is protected as on any machine',
    async path => {
      const protection = await gate().protectionOf(`${beta}\\${path}`, 'write');
      expect(protection).toBeDefined();
      const expected = windows.findProtection(path.replaceAll('\\', '/'), 'write');
      expect([protection?.kind, protection?.why()]).toEqual([expected?.kind, expected?.why()]);
    },
  );

  test.each(['D:/beta/b.ts', 'src/a.ts', 'C:/Program Files/a b.ts', 'odd/@name.ts'])(
    'a mention of %s is read as it was written',
    path => {
      const [named] = windows.parseMentions(`Look at ${windows.formatMention(path)} now`);
      expect(JSON.stringify(named)).toContain(JSON.stringify(path));
    },
  );

  test('a folder is called by its last part', () => {
    expect(folders.map(folder => windows.nameOfFolder(folder, folders))).toEqual(['alpha', 'beta']);
  });
});
