import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { Languages } from '../../src/extension/platform/languages.ts';
import type { Search } from '../../src/extension/platform/search.ts';
import { findSymbolTool } from '../../src/extension/tools/symbols/findSymbol.ts';
import { expectLanguages, languageSample } from '../support/languagesContract.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool } from '../support/useTool.ts';
import { WordLanguages } from '../support/wordLanguages.ts';

function absolute(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [join('/w', path), text]));
}

/** Finds words, as the search of a folder does. */
function searchOf(files: Readonly<Record<string, string>>): Pick<Search, 'findText'> {
  return {
    async findText({ path, pattern }) {
      const found = Object.entries(files).flatMap(([each, text]) => {
        const lines = text
          .split('\n')
          .map((line, index) => ({ number: index + 1, text: line, isMatch: true }));
        const matching = lines.filter(line => new RegExp(pattern).test(line.text));
        return each.startsWith(path) && matching.length > 0 ? [{ path: each, lines: matching }] : [];
      });
      return { files: found, total: found.length, limited: false };
    },
  };
}

function toolOver(given: Readonly<Record<string, string>>, change: Partial<Languages> = {}) {
  const files = absolute(given);
  const disk = new MemoryFileSystem(files);
  const words = new WordLanguages(files);
  const languages: Languages = {
    isAvailable: true,
    settle: () => words.settle(),
    outline: path => words.outline(path),
    findDeclaringFiles: name => words.findDeclaringFiles(name),
    offer: place => words.offer(place),
    follow: (point, relation) => words.follow(point, relation),
    rename: (point, newName) => words.rename(point, newName),
    ...change,
  };
  return findSymbolTool({
    files: disk,
    paths: new WorkspacePaths(disk, ['/w']),
    search: searchOf(files),
    languages,
  });
}

const ask = async (args: object, files: Readonly<Record<string, string>> = languageSample) =>
  (await useTool(toolOver(files), args)).text;

test('the fake keeps what the language servers of an editor keep', async () => {
  await expectLanguages(new WordLanguages(absolute(languageSample)), '/w');
});

test('a file alone gives its outline', async () => {
  expect(await ask({ file_path: 'sums.ts' })).toBe(
    '1-3 Function computeSum\n5-9 Class Invoice\n  6-8 Method total',
  );
});

test('a name alone gives its declaration, with its lines', async () => {
  expect(await ask({ name: 'computeSum' })).toBe(
    `1 declaration of computeSum:
sums.ts
[Function computeSum]
1: export function computeSum(first: number, second: number): number {
2:   return first + second;
3: }`,
  );
});

test('references come file by file with the line of each', async () => {
  expect(await ask({ name: 'computeSum', find: 'references' })).toBe(
    `4 references in 2 files (of computeSum (sums.ts:1)):
main.ts
1: import { computeSum, Invoice } from './sums';
4: const sum = computeSum(3, 4);

sums.ts
1: export function computeSum(first: number, second: number): number {
7: return computeSum(1, 2);`,
  );
});

test('callers are named with the function that calls', async () => {
  const text = await ask({ name: 'computeSum', find: 'callers' });
  expect(text).toContain('2 callers in 2 files');
  expect(text).toContain('4: const sum = computeSum(3, 4); [printAll]');
  expect(text).toContain('7: return computeSum(1, 2); [total]');
});

test('a file that only uses a name leads to what the name means there', async () => {
  const text = await ask({ name: 'Invoice', file_path: 'main.ts', find: 'definition' });
  expect(text).toContain('1 definition in 1 file');
  expect(text).toContain('sums.ts\n5: export class Invoice {');
});

const twoTotals = {
  'a.ts': 'export class One {\n  total() {\n  }\n}\n',
  'b.ts': 'export class Two {\n  total() {\n  }\n}\n',
};

test('a name that means several symbols is answered with all of them, and Class.name or a file chooses', async () => {
  await expect(ask({ name: 'total', find: 'references' }, twoTotals)).rejects.toThrow(
    'total means 2 symbols. Say which by file_path or by Class.name:\nOne.total (Method) a.ts:2\nTwo.total (Method) b.ts:2',
  );
  expect(await ask({ name: 'Two.total', find: 'definition' }, twoTotals)).toContain('of Two.total (b.ts:2)');
  expect(await ask({ name: 'total', file_path: 'a.ts', find: 'definition' }, twoTotals)).toContain(
    'of One.total (a.ts:2)',
  );
  expect(await ask({ name: 'total' }, twoTotals)).toContain('2 declarations of total');
});

test('a server that has indexed nothing yet is led to the files that hold the word', async () => {
  const tool = toolOver(languageSample, { findDeclaringFiles: async () => [] });
  const { text } = await useTool(tool, { name: 'computeSum', find: 'references' });
  expect(text).toContain('4 references in 2 files');
});

test('a name that nothing declares is said with what to do', async () => {
  await expect(ask({ name: 'absent' })).rejects.toThrow(
    'Give file_path of a file that uses it, or use grep_search',
  );
  await expect(ask({ name: 'absent', file_path: 'main.ts' })).rejects.toThrow(
    'finds no symbol absent in main.ts',
  );
  await expect(ask({})).rejects.toThrow('Give a name, a file_path or both.');
});

test('of very many references the first are shown in order, each line once, and how many are left', async () => {
  const places = Array.from({ length: 150 }, (_, index) => ({
    path: '/w/main.ts',
    first: 150 - index,
    last: 150,
  }));
  const tool = toolOver(languageSample, { follow: async () => [...places, ...places] });
  const { text } = await useTool(tool, { name: 'computeSum', find: 'references' });
  expect(text).toContain('150 references in 1 file');
  expect(text.split('\n')[2]).toBe("1: import { computeSum, Invoice } from './sums';");
  expect(text).toContain('… and 50 more.');
});

test('what lies outside is told by its place alone, and what is protected not at all', async () => {
  const follow: Languages['follow'] = async () => [
    { path: '/lib/lib.d.ts', first: 7, last: 9 },
    { path: '/w/.env', first: 1, last: 1 },
  ];
  const tool = toolOver({ ...languageSample, '.env': 'KEY=secret\n' }, { follow });
  const { text } = await useTool(tool, { name: 'computeSum', find: 'definition' });
  expect(text).toContain('/lib/lib.d.ts\n7:');
  expect(text).toContain('1 place in protected files left out.');
  expect(text).not.toContain('secret');
});

test('a file that the user keeps from agents has no outline for them', async () => {
  const files = { ...languageSample, '.geminiignore': 'sums.ts\n' };
  await expect(ask({ file_path: 'sums.ts' }, files)).rejects.toThrow('not for agents to read');
  expect(await ask({ name: 'computeSum', find: 'references' }, files)).toContain(
    '2 places in protected files',
  );
});

test('it is offered only where a language server answers, and says so elsewhere', async () => {
  expect(toolOver(languageSample).isOffered?.()).toBe(true);
  const without = toolOver(languageSample, { isAvailable: false });
  expect(without.isOffered?.()).toBe(false);
  await expect(useTool(without, { name: 'computeSum' })).rejects.toThrow('Use grep_search.');
});
