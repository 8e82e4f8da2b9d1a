import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import type { CodeEdit, ProposedEdits } from '../../src/extension/platform/languages.ts';
import { applyEdits } from '../../src/extension/tools/symbols/manyFiles.ts';
import { renameSymbolTool } from '../../src/extension/tools/symbols/renameSymbol.ts';
import { languageSample } from '../support/languagesContract.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { renameSample } from '../support/renameSample.ts';
import { useTool, writingTo } from '../support/useTool.ts';
import { WordLanguages } from '../support/wordLanguages.ts';

function world(
  given: Readonly<Record<string, string>> = languageSample,
  renaming?: ProposedEdits,
  heedsGeminiIgnore?: () => boolean,
) {
  const files = Object.fromEntries(Object.entries(given).map(([path, text]) => [join('/w', path), text]));
  const disk = new MemoryFileSystem(files);
  const languages = new WordLanguages(files);
  if (renaming) languages.rename = async () => renaming;
  const search = { findText: async () => ({ files: [], total: 0, limited: false }) };
  const paths = new WorkspacePaths(disk, ['/w']);
  const tool = renameSymbolTool({ files: disk, paths, search, languages, heedsGeminiIgnore });
  const read = async (path: string) => (await disk.readText(join('/w', path))).text;
  return { tool: writingTo(disk, tool), disk, read };
}

const toAddUp = { name: 'computeSum', new_name: 'addUp' };

const edit = (line: number, from: number, to: number, text: string): CodeEdit => ({
  from: { line, column: from },
  to: { line, column: to },
  text,
});

describe('a symbol', () => {
  test('has its new name in all files, which the answer counts', async () => {
    const { tool, read } = world();
    const { text, display } = await useTool(tool, toAddUp);
    expect(text).toBe('Renamed computeSum to addUp in 4 places in 2 files:\nsums.ts (2)\nmain.ts (2)');
    expect(display.summary).toBe('4 places in 2 files');
    expect(display.touched).toEqual([
      { path: 'sums.ts', added: 2, removed: 2 },
      { path: 'main.ts', added: 2, removed: 2 },
    ]);
    expect(await read('sums.ts')).toBe(languageSample['sums.ts'].replaceAll('computeSum', 'addUp'));
    expect(await read('main.ts')).toBe(languageSample['main.ts'].replaceAll('computeSum', 'addUp'));
  });

  test('is asked about with its files before anything is written, and all of them are classified', async () => {
    const { tool, read } = world();
    const asked = useTool(tool, toAddUp, {
      decide: async ({ subject, target }) => {
        const files = '4 places in 2 files:\nsums.ts (2)\nmain.ts (2)';
        expect(subject).toEqual({
          kind: 'other',
          detail: `${files}\nYou then review each change.`,
        });
        expect(target).toEqual({ kind: 'paths', access: 'write', paths: ['/w/sums.ts', '/w/main.ts'] });
        expect(await read('sums.ts')).toBe(languageSample['sums.ts']);
        return undefined;
      },
    });
    await asked;
  });

  test('that several share is answered with all of them, and an unknown one with what to do', async () => {
    const two = { 'a.ts': 'export function one() {\n}\n', 'b.ts': 'export function one() {\n}\n' };
    const rename = (args: object) => useTool(world(two).tool, args);
    await expect(rename({ name: 'one', new_name: 'two' })).rejects.toThrow(
      /^one means 2 symbols\. Say which/,
    );
    await expect(rename({ name: 'none', new_name: 'two' })).rejects.toThrow(
      /^No file of the workspace is known to declare none\./,
    );
    const { text } = await useTool(world(two).tool, { name: 'one', new_name: 'two', file_path: 'b.ts' });
    expect(text).toContain('b.ts (1)');
  });

  test('is not renamed in a file that .geminiignore leaves out, nor through one, and nothing else of it is told', async () => {
    const declares = { ...languageSample, '.geminiignore': 'sums.ts\n' };
    const uses = { ...languageSample, '.geminiignore': 'main.ts\n' };
    const attempts: readonly (readonly [Readonly<Record<string, string>>, object, string])[] = [
      [declares, toAddUp, 'sums.ts'],
      [declares, { ...toAddUp, file_path: 'sums.ts' }, 'sums.ts'],
      [uses, toAddUp, 'main.ts'],
    ];
    for (const [files, asked, file] of attempts) {
      const { tool, read } = world(files);
      await expect(useTool(tool, asked)).rejects.toThrow(
        `${file} is not for agents to read: .geminiignore leaves it out`,
      );
      for (const name of ['sums.ts', 'main.ts'] as const) expect(await read(name)).toBe(languageSample[name]);
    }
    const { tool, read } = world(declares, undefined, () => false);
    await useTool(tool, toAddUp);
    expect(await read('sums.ts')).toContain('addUp');
  });

  test('of the same name in a file that .geminiignore leaves out is none that one could mean', async () => {
    const two = {
      'a.ts': 'export function one() {\n}\n',
      'b.ts': 'export function one() {\n}\n',
      '.geminiignore': 'b.ts\n',
    };
    const files = [{ path: '/w/a.ts', edits: [edit(1, 17, 20, 'two')] }];
    const { tool, read } = world(two, { kind: 'edits', files });
    await useTool(tool, { name: 'one', new_name: 'two' });
    expect(await read('a.ts')).toContain('two');
    expect(await read('b.ts')).toBe(two['b.ts']);
  });

  test('that the server does not rename stays, with its reason', async () => {
    const { tool } = world(languageSample, { kind: 'refused', reason: 'You cannot rename this element.' });
    await expect(useTool(tool, toAddUp)).rejects.toThrow(
      'The language server does not rename computeSum: You cannot rename this element.',
    );
    const nothing = world(languageSample, { kind: 'edits', files: [] });
    await expect(useTool(nothing.tool, toAddUp)).rejects.toThrow(/finds nothing to change for addUp/);
  });

  test('stays where a file no longer is what the server looked at, or lies outside', async () => {
    const gone = [{ path: '/w/sums.ts', edits: [edit(900, 1, 5, 'x')] }];
    const renaming = { kind: 'edits', files: gone } as const;
    await expect(useTool(world(languageSample, renaming).tool, toAddUp)).rejects.toThrow(
      'sums.ts changed while the language server was asked. Try again.',
    );
    const outside = [{ path: '/elsewhere/x.ts', edits: [edit(1, 1, 2, 'x')] }];
    const far = world(languageSample, { kind: 'edits', files: outside });
    await expect(useTool(far.tool, toAddUp)).rejects.toThrow(/elsewhere/);
  });

  test.each([
    [50, undefined, '/w/sums.ts'],
    [51, 'many', undefined],
  ])('in %i files is written by editors or past them', async (count, amid, wrote) => {
    const { tool, disk, read } = world(renameSample(count));
    const reported = new Set<unknown>();
    const write = disk.writeText.bind(disk);
    disk.writeText = async (path, text, format, expected, ...more: readonly unknown[]) => {
      reported.add(more[0]);
      await write(path, text, format, expected);
    };
    const result = await useTool(tool, toAddUp);
    expect(result.text).toContain(`in ${count} files`);
    expect([...reported]).toEqual([amid]);
    // Problems are looked for after what is written by editors alone.
    expect(result.wrote).toBe(wrote);
    expect(await read('user7.ts')).toBe(renameSample(count)['user7.ts']!.replaceAll('computeSum', 'addUp'));
  });

  test('is written first in the files that an editor holds, and in the many others only when these are saved', async () => {
    const sample = renameSample(60);
    const held = ['user7.ts', 'user41.ts'];
    const files = Object.entries(sample).flatMap(([name, text]) => {
      const edits = [...text.matchAll(/computeSum/g)].map(({ index }) => {
        const before = text.slice(0, index).split('\n');
        const column = before.at(-1)!.length + 1;
        return edit(before.length, column, column + 'computeSum'.length, 'addUp');
      });
      return edits.length > 0 ? [{ path: `/w/${name}`, edits, isOpen: held.includes(name) }] : [];
    });
    const { tool, disk, read } = world(sample, { kind: 'edits', files });
    const reported: string[] = [];
    const write = disk.writeText.bind(disk);
    disk.writeText = async (path, text, format, expected) => {
      const name = path.slice('/w/'.length);
      if (held.includes(name)) await new Promise(resolve => setImmediate(resolve));
      await write(path, text, format, expected);
      reported.push(name);
    };
    await useTool(tool, toAddUp);
    expect(reported.slice(0, 2).toSorted()).toEqual(held.toSorted());
    expect(reported).toHaveLength(60);
    for (const [name, text] of Object.entries(sample))
      expect(await read(name)).toBe(text.replaceAll('computeSum', 'addUp'));
  });

  test('is told of as renamed in part where a file cannot be written', async () => {
    const { tool, disk, read } = world();
    const renamed = useTool(tool, toAddUp, {
      decide: async () => {
        await disk.writeText('/w/main.ts', 'typed meanwhile\n', { encoding: 'utf8', bom: false });
        return undefined;
      },
    });
    await expect(renamed).rejects.toThrow(
      /So computeSum is renamed to addUp only in part\.\nRenamed in 2 places in 1 file:\nsums\.ts \(2\)\nNot renamed in 2 places in 1 file:\nmain\.ts \(2\)/,
    );
    expect(await read('sums.ts')).toContain('addUp');
    expect(await read('main.ts')).toBe('typed meanwhile\n');
  });
});

describe('edits of a text', () => {
  test.each([
    ['a\nb\nc', [edit(2, 1, 2, 'B')], 'a\nB\nc'],
    ['a\r\nb\r\nc', [edit(3, 1, 2, 'C'), edit(1, 2, 2, '!')], 'a!\r\nb\r\nC'],
    ['a\rb', [edit(2, 2, 2, '\n')], 'a\rb\n'],
    ['👍x', [edit(1, 3, 4, 'y')], '👍y'],
    ['', [edit(1, 1, 1, 'x')], 'x'],
    ['ab', [], 'ab'],
    ['one\ntwo\n', [{ from: { line: 1, column: 3 }, to: { line: 2, column: 2 }, text: '-' }], 'on-wo\n'],
  ])('are made in %j', (text, edits, after) => {
    expect(applyEdits(text, edits)).toBe(after);
  });

  test.each([
    ['a', [edit(2, 1, 1, 'x')]],
    ['a', [edit(1, 1, 9, 'x')]],
    ['abc', [edit(1, 1, 3, 'x'), edit(1, 2, 3, 'y')]],
    ['abc', [edit(1, 3, 2, 'x')]],
  ])('that do not fit %j are not made', (text, edits) => {
    expect(applyEdits(text, edits)).toBeUndefined();
  });
});
