import { execFileSync } from 'node:child_process';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { ToolFailure } from '../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { packagedRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../src/extension/node/search/ripgrepSearch.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import type { Search } from '../../src/extension/platform/search.ts';
import { globTool } from '../../src/extension/tools/glob.ts';
import { grepSearchTool } from '../../src/extension/tools/grepSearch.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { useTool } from '../support/useTool.ts';

const searches: [string, Search][] = [
  ['by walking', new WalkSearch()],
  ['by ripgrep', new RipgrepSearch(packagedRipgrep()[0]!)],
];

describe.each(searches)('searching %s', (_how, search) => {
  let workspace: string;
  const files = new NodeFileSystem();
  const now = Date.now();

  beforeEach(async () => {
    workspace = await temporaryFolder('folio-search-');
  });

  async function put(path: string, text: string, ageInHours = 48) {
    const full = join(workspace, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    const at = (now - ageInHours * 3_600_000) / 1000;
    await utimes(full, at, at);
  }

  const place = () => ({
    files,
    paths: new WorkspacePaths(files, [workspace]),
    ignoredFolders: () => ['node_modules', 'dist', 'build'],
  });
  const find = (args: Record<string, unknown>) =>
    useTool(globTool({ ...place(), search, clock: { now: () => now } }), args);
  const grep = (args: Record<string, unknown>, from: Search = search, timeout?: () => number) =>
    useTool(grepSearchTool({ ...place(), search: from, timeout }), args);

  test('what .geminiignore leaves out is not searched by its name either', async () => {
    await put('.geminiignore', 'secret.txt\nprivate/\n');
    await put('secret.txt', 'tide');
    await put('private/a.txt', 'tide');
    const why = 'agents to read: .geminiignore leaves it out';
    for (const dir_path of ['secret.txt', 'private', 'private/a.txt'])
      await expect(grep({ pattern: 'tide', dir_path })).rejects.toThrow(why);
  });

  describe('folders of dependencies and builds', () => {
    beforeEach(async () => {
      await put('src/a.js', 'tide');
      await put('packages/one/node_modules/m/dist/b.js', 'tide');
      await put('node_modules/m/c.js', 'tide');
      await put('dist/d.js', 'tide');
      await put('build', 'tide');
    });

    test('are left out, and that is said where it hid something', async () => {
      expect((await find({ pattern: '**/*.js' })).text).toBe(
        '1 file in the workspace match **/*.js (3 more files in dist and node_modules left out):\nsrc/a.js',
      );
      expect((await find({ pattern: 'src/*.js' })).text).not.toContain('left out');
      const found = (await grep({ pattern: 'tide', names_only: true })).text;
      expect(found).toBe(
        '2 files for tide in the workspace (dist and node_modules not searched):\nbuild\nsrc/a.js',
      );
      expect((await grep({ pattern: 'tide', dir_path: 'src' })).text).not.toContain('not searched');
    });

    test('are searched when the call names them or wants all', async () => {
      expect((await find({ pattern: 'dist/*.js' })).text).toMatch(
        /^1 file in the workspace .*:\ndist\/d\.js$/,
      );
      expect((await find({ pattern: '**/*.js', dir_path: 'packages/one/node_modules' })).text).toMatch(
        /:\npackages\/one\/node_modules\/m\/dist\/b\.js$/,
      );
      expect((await find({ pattern: '**/*.js', respect_git_ignore: false })).text).toMatch(/^4 files/);
      expect((await grep({ pattern: 'tide', include_pattern: 'dist/**' })).text).toContain('dist/d.js');
      expect((await grep({ pattern: 'tide', dir_path: 'node_modules/m' })).text).toContain(
        'node_modules/m/c.js',
      );
      expect((await grep({ pattern: 'tide', no_ignore: true })).text).toMatch(/^5 matches/);
    });

    test('and a search that finds nothing else says how to see them', async () => {
      expect((await find({ pattern: '**/c.js' })).text).toBe(
        'No file in the workspace matches **/c.js (1 more file in node_modules left out). To see those, name the folder in pattern or dir_path, or set respect_git_ignore to false.',
      );
      await put('dist/e.js', 'moon');
      expect((await grep({ pattern: 'moon' })).text).toMatch(
        /^No match for moon in the workspace \(dist and node_modules not searched\)\./,
      );
    });

    test('hold sources where an ignore file does not call them built', async () => {
      await put('.gitignore', '*.log\n');
      expect((await find({ pattern: '**/*.js' })).text).toContain('dist/d.js');
      expect((await find({ pattern: '**/*.js' })).text).toContain('(2 more files in node_modules left out)');
    });
  });

  describe('glob', () => {
    test('what changed in the last day comes first, newest on top, the rest by name', async () => {
      await put('src/b.ts', '', 100);
      await put('src/a.ts', '', 50);
      await put('src/z.ts', '', 2);
      await put('src/y.ts', '', 1);
      await put('other.md', '');
      const result = await find({ pattern: '**/*.ts' });
      expect(result.text).toBe(
        '4 files in the workspace match **/*.ts:\nsrc/y.ts\nsrc/z.ts\nsrc/a.ts\nsrc/b.ts',
      );
      expect(result.display.summary).toBe('4 files');
    });

    test('a folder narrows it, and case counts when asked', async () => {
      await put('src/One.ts', '');
      await put('lib/one.ts', '');
      expect((await find({ pattern: 'one.ts', dir_path: 'src' })).text).toMatch(
        /^1 file in src .*:\nsrc\/One\.ts$/,
      );
      expect((await find({ pattern: 'one.ts', dir_path: 'src', case_sensitive: true })).text).toMatch(
        /^No file in src/,
      );
    });

    test('ignored files are left out unless asked for', async () => {
      await put('.gitignore', 'build/\n');
      await put('build/x.ts', '');
      expect((await find({ pattern: '**/*.ts' })).text).toMatch(/^No file in the workspace/);
      const all = await find({ pattern: '**/*.ts', respect_git_ignore: false });
      expect(all.text).toContain('build/x.ts');
    });

    test('a long list is cut, and the model is told how to narrow it', async () => {
      for (let index = 0; index < 503; index++) await put(`f/${index}.txt`, '');
      const { text } = await find({ pattern: 'f/*.txt' });
      expect(text).toMatch(/^503 files /);
      expect(text.split('\n').filter(line => line.endsWith('.txt'))).toHaveLength(500);
      expect(text).toMatch(/… 3 more\. Narrow the pattern/);
    });

    test.each([
      ['a folder that is not there', { pattern: '*', dir_path: 'gone' }, /no folder gone/],
      ['a folder outside', { pattern: '*', dir_path: '..' }, /outside the workspace/],
      ['an empty pattern', { pattern: ' ' }, /empty/],
    ])('%s is a failure that the model can act on', async (_what, args, message) => {
      const finding = find(args);
      await expect(finding).rejects.toThrow(ToolFailure);
      await expect(finding).rejects.toThrow(message);
    });
  });

  describe('grep_search', () => {
    test('numbers out of all reason are brought into bounds', async () => {
      await put('a.txt', 'needle\n');
      for (const odd of [1e15, -1e15]) {
        const args = { pattern: 'needle', context: odd, total_max_matches: odd, max_matches_per_file: odd };
        expect((await grep(args)).text).toContain('1: needle');
      }
    });

    test.skipIf(process.platform === 'win32')('a pipe is refused instead of waited for', async () => {
      execFileSync('mkfifo', [join(workspace, 'pipe')]);
      await expect(grep({ pattern: 'x', dir_path: 'pipe' })).rejects.toThrow('not a regular file');
    });

    const numbered = (count: number, special: Record<number, string> = {}) =>
      Array.from({ length: count }, (_, index) => special[index + 1] ?? `line ${index + 1}`).join('\n');

    test('matches stand under their file, after a sentence that sums them up', async () => {
      await put('a.ts', 'const Foo = 1;\nnothing\nfoo();\n');
      await put('lib/b.ts', 'foo(2);\nfoo(3);\n');
      const result = await grep({ pattern: 'foo', context: 0 });
      expect(result.text).toBe(
        '4 matches in 2 files for foo in the workspace:\na.ts\n1: const Foo = 1;\n3: foo();\n\nlib/b.ts\n1: foo(2);\n2: foo(3);',
      );
      expect(result.display.summary).toBe('4 matches in 2 files');
    });

    test('one match comes with 50 lines around it', async () => {
      await put('a.txt', numbered(200, { 100: 'needle' }));
      const lines = (await grep({ pattern: 'needle' })).text.split('\n').slice(2);
      expect(lines).toHaveLength(101);
      expect(lines[0]).toBe('50- line 50');
      expect(lines[50]).toBe('100: needle');
      expect(lines[100]).toBe('150- line 150');
    });

    test('three matches come with 15 lines around each, four with none', async () => {
      await put('a.txt', numbered(200, { 50: 'needle', 150: 'needle' }));
      await put('b.txt', numbered(50, { 25: 'needle' }));
      const three = (await grep({ pattern: 'needle' })).text;
      expect(three.split('\n')).toContain('35- line 35');
      expect(three.split('\n')).toContain('40- line 40');
      expect(three.split('\n')).not.toContain('66- line 66');
      expect(three).toContain('65- line 65\n--\n135- line 135');
      await put('c.txt', 'needle');
      expect((await grep({ pattern: 'needle' })).text).not.toContain('- line');
    });

    test('context is as asked for', async () => {
      await put('a.txt', numbered(20, { 10: 'needle' }));
      const around = async (args: object) =>
        (await grep({ pattern: 'needle', ...args })).text.split('\n').slice(2);
      expect(await around({ context: 1 })).toEqual(['9- line 9', '10: needle', '11- line 11']);
      expect(await around({ before: 1, after: 0 })).toEqual(['9- line 9', '10: needle']);
    });

    test('at its limit it says that there is more and how to narrow', async () => {
      await put('a.txt', numbered(150));
      const { text, display } = await grep({ pattern: 'line' });
      expect(text).toMatch(/^100 matches in 1 file for line in the workspace, and there are more:/);
      expect(text).toMatch(
        /The search ended at its limit\. Narrow it with dir_path, include_pattern, exclude_pattern or a more exact pattern\. names_only lists the files alone\.$/,
      );
      expect(display.summary).toBe('100 matches in 1 file, limited');
    });

    test('at its limit it names the fullest folders, and no way that the query has gone already', async () => {
      await put('src/a.txt', numbered(60));
      await put('test/deep/b.txt', numbered(40));
      await put('c.txt', numbered(20));
      const { text } = await grep({ pattern: 'line', include_pattern: '*.txt', total_max_matches: 110 });
      expect(text).toMatch(/dir_path \(most of these are in .+ \(\d+\), .+ \(\d+\)/);
      expect(text).toMatch(/\), exclude_pattern or a more exact pattern\. names_only/);
      const names = await grep({ pattern: 'line', names_only: true, total_max_matches: 2 });
      expect(names.text).toMatch(/and there are more:/);
      expect(names.text).toMatch(/or a more exact pattern\.$/);
    });

    test('a very long result leaves out whole files and says so', async () => {
      for (let index = 0; index < 30; index++) await put(`${index}.txt`, `needle ${'x'.repeat(5_000)}`);
      const { text } = await grep({ pattern: 'needle' });
      expect(text.length).toBeLessThan(32_000);
      expect(text).toMatch(/… 16 more files left out/);
      expect(text).toContain('… (line cut)');
    });

    test('names only, filters, literal text and case', async () => {
      await put('a.ts', 'f(x)\n');
      await put('b.md', 'F(X)\nf(x) skip\n');
      expect((await grep({ pattern: 'f', names_only: true })).text).toBe(
        '2 files for f in the workspace:\na.ts\nb.md',
      );
      expect((await grep({ pattern: 'f(x)', fixed_strings: true, context: 0 })).text).toMatch(
        /^3 matches in 2/,
      );
      expect((await grep({ pattern: 'f\\(x\\)', include_pattern: '*.md', context: 0 })).text).toMatch(
        /^2 matches in 1/,
      );
      expect((await grep({ pattern: 'F', case_sensitive: true, context: 0 })).text).toMatch(
        /^1 match in 1 file/,
      );
      expect((await grep({ pattern: 'f', exclude_pattern: 'skip', context: 0 })).text).toMatch(
        /^2 matches in 2/,
      );
      expect((await grep({ pattern: 'f', max_matches_per_file: 1, context: 0 })).text).toMatch(
        /^2 matches in 2/,
      );
      expect((await grep({ pattern: 'f', dir_path: 'a.ts', context: 0 })).text).toMatch(
        /^1 match in 1 file for f in a\.ts/,
      );
    });

    test('no match is said, not failed', async () => {
      await put('a.ts', 'x');
      const result = await grep({ pattern: 'zebra' });
      expect(result.text).toMatch(/^No match for zebra in the workspace\./);
      expect(result.display.summary).toBe('No matches');
    });

    test('a wrong expression is explained, with the way out', async () => {
      await put('a.ts', 'x');
      const searching = grep({ pattern: 'f(' });
      await expect(searching).rejects.toThrow(ToolFailure);
      await expect(searching).rejects.toThrow(/set fixed_strings to true/);
    });
  });
});

describe('a search that takes too long', () => {
  const files = new NodeFileSystem();
  const endless: Search = {
    findFiles: async () => ({ paths: [] }),
    readIgnoreRules: async () => ({ findIgnoring: () => undefined }),
    findText: (_query, signal) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const tool = (seconds: number) =>
    grepSearchTool({
      search: endless,
      files,
      paths: new WorkspacePaths(files, [tmpdir()]),
      ignoredFolders: () => [],
      timeout: () => seconds,
    });

  test('is given up, and the model is told how to narrow it', async () => {
    const searching = useTool(tool(0.05), { pattern: 'x' });
    await expect(searching).rejects.toThrow(ToolFailure);
    await expect(searching).rejects.toThrow(/given up after 0\.05 s\. Search a smaller folder/);
  });

  test('ends with the reason of an abort', async () => {
    const stopper = new AbortController();
    const searching = useTool(tool(30), { pattern: 'x' }, { signal: stopper.signal });
    stopper.abort(new Error('stopped by the user'));
    await expect(searching).rejects.toThrow('stopped by the user');
  });
});
