import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { listDirectoryTool } from '../../src/extension/tools/listDirectory.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool } from '../support/useTool.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
});

async function list(contents: Record<string, string>, args: Record<string, unknown>) {
  for (const [path, text] of Object.entries({ '/w/.keep': '', ...contents })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const files = new NodeFileSystem();
  const paths = new WorkspacePaths(files, [join(root, 'w')]);
  const search = new NodeSearch();
  const tool = listDirectoryTool({ files, search, paths, ignoredFolders: () => ['node_modules', 'build'] });
  return useTool(tool, args);
}

describe('list_directory', () => {
  test('folders come first, files with their sizes', async () => {
    const contents = { '/w/b.txt': 'abc', '/w/a.txt': '1', '/w/zed/x': '', '/w/lib/y': '' };
    const result = await list(contents, { dir_path: '.' });
    expect(result.text).toBe('Entries of .:\nlib/\nzed/\n.keep (0 bytes)\na.txt (1 byte)\nb.txt (3 bytes)');
    expect(result.display.summary).toBe('5 entries');
  });

  test('ignore files count from the workspace root down, the nearest has the last word', async () => {
    const contents = {
      '/w/.gitignore': '*.log\n/src/build\n',
      '/w/.geminiignore': 'secret.txt\n',
      '/w/src/.gitignore': '!keep.log\n',
      '/w/src/a.log': '',
      '/w/src/keep.log': '',
      '/w/src/secret.txt': '',
      '/w/src/build/x': '',
      '/w/src/main.ts': '',
    };
    const result = await list(contents, { dir_path: 'src' });
    expect(result.text.split('\n')).toEqual([
      'Entries of src:',
      '.gitignore (10 bytes)',
      'keep.log (0 bytes)',
      'main.ts (0 bytes)',
      '(3 ignored)',
    ]);
    const options = { respect_git_ignore: false, respect_gemini_ignore: false };
    const all = await list(contents, { dir_path: 'src', file_filtering_options: options });
    expect(all.text).toContain('build/');
    expect(all.text).toContain('secret.txt');
    expect(all.text).not.toContain('ignored');
  });

  describe('folders of dependencies and builds', () => {
    const contents = {
      '/w/node_modules/m/dist/x.js': '',
      '/w/build/y': '',
      '/w/src/build': '',
      '/w/src/z': '',
    };

    test('are left out, and that is said', async () => {
      const result = await list(contents, { dir_path: '.' });
      expect(result.text).toBe(
        'Entries of .:\nsrc/\n.keep (0 bytes)\n(build/ and node_modules/ left out; list by its own path)',
      );
      expect(result.display.summary).toBe('2 entries, 2 ignored');
      expect((await list(contents, { dir_path: 'src' })).text).toContain('build (0 bytes)');
    });

    test('are listed by their own path, and when nothing is to be left out', async () => {
      expect((await list(contents, { dir_path: 'node_modules/m' })).text).toBe(
        'Entries of node_modules/m:\ndist/',
      );
      const all = await list(contents, {
        dir_path: '.',
        file_filtering_options: { respect_git_ignore: false },
      });
      expect(all.text).toMatch(/build\/\nnode_modules\/\nsrc\//);
    });

    test('that an ignore file does not call built hold sources', async () => {
      const result = await list({ ...contents, '/w/.gitignore': '*.log\n' }, { dir_path: '.' });
      expect(result.text).toMatch(/^build\/\nsrc\/$/m);
      expect(result.text).toContain('(node_modules/ left out; list by its own path)');
    });
  });

  test('globs given with the call leave out names', async () => {
    const result = await list({ '/w/a.md': '', '/w/b.ts': '' }, { dir_path: '.', ignore: ['*.md', '.keep'] });
    expect(result.text).toBe('Entries of .:\nb.ts (0 bytes)\n(2 ignored)');
  });

  test('the repository data of git is left out', async () => {
    expect((await list({ '/w/.git/HEAD': '' }, { dir_path: '.' })).text).not.toContain('.git/');
  });

  test('a folder without entries says so', async () => {
    const contents = { '/w/.gitignore': 'x\n', '/w/only/x': '' };
    expect((await list(contents, { dir_path: 'only' })).text).toBe(
      'Entries of only:\n(no entries)\n(1 ignored)',
    );
  });

  test('a large folder is bounded', async () => {
    const contents = Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`/w/many/f${i}`, '']));
    const result = await list(contents, { dir_path: 'many' });
    expect(result.text.split('\n')).toHaveLength(1002);
    expect(result.text).toContain('(100 more not shown');
  });

  test('files, missing folders and places outside are refused in a sentence', async () => {
    const contents = { '/w/src/a.ts': '', '/else/b': '' };
    await expect(list(contents, { dir_path: 'src/a.ts' })).rejects.toThrow('Use read_file');
    await expect(list(contents, { dir_path: 'srk' })).rejects.toThrow('nearest names in .: src/');
    await expect(list(contents, { dir_path: join(root, 'else') })).rejects.toThrow('outside the workspace');
  });
});
