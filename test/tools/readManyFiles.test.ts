import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { defaultSettings } from '../../src/extension/platform/settings.ts';
import { readManyFilesTool } from '../../src/extension/tools/readManyFiles.ts';
import { memoryFileSearch } from '../support/memoryFileSearch.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { useTool } from '../support/useTool.ts';

function readMany(contents: Record<string, string | Uint8Array>, args: Record<string, unknown>) {
  const files = new MemoryFileSystem({ '/w/.keep': '', ...contents });
  const paths = new WorkspacePaths(files, ['/w']);
  const search = memoryFileSearch(files);
  const { ignoredFolders } = defaultSettings;
  return useTool(readManyFilesTool({ files, paths, search, ignoredFolders: () => ignoredFolders }), args);
}

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('read_many_files', () => {
  const project = {
    '/w/src/a.ts': 'a\r\n',
    '/w/src/deep/b.ts': 'b\n',
    '/w/src/c.md': 'c\n',
    '/w/node_modules/m/index.ts': 'm\n',
  };

  test('paths, folders and globs are read, each file once, dependencies left out', async () => {
    const result = await readMany(project, { include: ['src/c.md', 'src', '**/*.ts'] });
    expect(result.text).toBe('--- src/c.md ---\nc\n\n--- src/a.ts ---\na\n\n--- src/deep/b.ts ---\nb\n');
    expect(result.display.summary).toBe('3 files');
  });

  test('excludes are meant from the workspace, and the default ones can be lifted', async () => {
    const without = await readMany(project, { include: ['src/**/*.ts'], exclude: ['src/deep/**'] });
    expect(without.text).toBe('--- src/a.ts ---\na\n');
    const all = await readMany(project, { include: ['**/*.ts'], useDefaultExcludes: false });
    expect(all.text).toContain('node_modules/m/index.ts');
  });

  test('what .geminiignore leaves out is not read by its name either', async () => {
    const contents = { ...project, '/w/.geminiignore': 'deep/\n' };
    const include = ['src/deep/b.ts', 'src/c.md'];
    const result = await readMany(contents, { include });
    expect(result.text).toBe(
      '--- src/c.md ---\nc\n\nNot read:\nsrc/deep/b.ts: .geminiignore leaves it out for agents',
    );
    const alone = await readMany(contents, { include: ['src/deep/b.ts'] });
    expect(alone.text).toBe('Not read:\nsrc/deep/b.ts: .geminiignore leaves it out for agents');
  });

  test('more than a hundred entries are refused, since each is a search', async () => {
    await expect(readMany(project, { include: Array(101).fill('**/*') })).rejects.toThrow();
  });

  test('an empty file says that it is empty', async () => {
    const result = await readMany({ '/w/src/none.ts': '' }, { include: ['src/none.ts'] });
    expect(result.text).toBe('--- src/none.ts ---\n(empty)\n');
  });

  test('without recursion only the folder itself is read', async () => {
    for (const include of [['src'], ['src/**/*.ts']]) {
      const result = await readMany(project, { include, recursive: false });
      expect(result.text).toContain('src/a.ts');
      expect(result.text).not.toContain('deep');
    }
  });

  test('media come when named, and binary content is told by name', async () => {
    const contents = { '/w/i/p.png': png, '/w/i/x.bin': Uint8Array.from([0, 1]), '/w/i/t.txt': 't' };
    const plain = await readMany(contents, { include: ['i'] });
    expect(plain.blobs).toBeUndefined();
    expect(plain.text).toContain('Not read:\ni/p.png: media, name it to read it\ni/x.bin: binary');
    expect(plain.display.summary).toBe('1 file, 2 excluded');
    const named = await readMany(contents, { include: ['i/*.png'] });
    expect(named.blobs?.[0]?.mimeType).toBe('image/png');
  });

  test('the sum is bounded and what is left out is named', async () => {
    const contents = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`/w/b/f${i}`, 'x\n'.repeat(50_000)]),
    );
    const some = await readMany(contents, { include: ['b'] });
    expect(some.text).toContain('[Lines 1-2000 of 50000; use read_file for the rest.]');
    const wide = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`/w/l/f${i}`, `${'x'.repeat(999)}\n`.repeat(90)]),
    );
    const cut = await readMany(wide, { include: ['l'] });
    expect(cut.text.length).toBeLessThan(202_000);
    expect(cut.text.match(/\[Lines .*\]/g)).toEqual(['[Lines 1-20 of 90; use read_file for the rest.]']);
    expect(cut.display.summary).toBe('3 files, 2 excluded');
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`/w/m/f${1000 + i}`, 'x']));
    const result = await readMany(many, { include: ['m'] });
    expect(result.display.summary).toBe('100 files, 20 excluded');
    expect(result.text).toContain('m/f1119: the limit of this call is reached');
    expect(result.text).toMatch(/Read those by another call, or narrow this one with include and exclude\.$/);
  });

  test('nothing found and places outside are refused in a sentence', async () => {
    await expect(readMany(project, { include: ['*.zig'] })).rejects.toThrow('No file matches *.zig');
    await expect(readMany(project, { include: ['../x/*.ts'] })).rejects.toThrow('outside the workspace');
    await expect(readMany(project, { include: ['/etc/passwd'] })).rejects.toThrow('outside the workspace');
  });
});
