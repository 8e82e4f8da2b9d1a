import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type FileQuery,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../src/extension/platform/search.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** What every `Search` over real files promises. `search` is asked for when the first test runs. */
export function searchContract(name: string, search: () => Search): void {
  describe(`${name} keeps the search contract`, () => {
    let root: string;
    beforeEach(async () => {
      root = await temporaryFolder('folio-search-');
    });

    const tree: Tree = {
      write: async files => {
        for (const [path, content] of Object.entries(files)) {
          await mkdir(dirname(join(root, path)), { recursive: true });
          await writeFile(join(root, path), content);
        }
      },
      link: async (target, path) => await symlink(target, join(root, path)),
      path: inside => join(root, inside),
      find: async (pattern, query = {}) => {
        const folder = query.folder ?? root;
        const found = await search().findFiles({ ...query, folder, pattern }, new AbortController().signal);
        return found.paths.map(path => relative(folder, path).split(sep).join('/')).sort();
      },
      grep: async (pattern, query = {}) => {
        const path = query.path ?? root;
        return await search().findText(
          { maxTotal: 100, ...query, path, pattern },
          new AbortController().signal,
        );
      },
      search,
    };
    contractOfFiles(tree);
    contractOfText(tree);
    contractOfIgnoring(tree);
    contractOfLimits(tree);
    contractOfFailures(tree);
  });
}

interface Tree {
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly link: (target: string, path: string) => Promise<void>;
  readonly path: (inside: string) => string;
  /** Relative paths, sorted. */
  readonly find: (pattern: string, query?: Partial<FileQuery>) => Promise<readonly string[]>;
  readonly grep: (pattern: string, query?: Partial<TextQuery>) => Promise<TextMatches>;
  readonly search: () => Search;
}

function contractOfFiles({ write, link, path, find }: Tree): void {
  test('a glob is relative to the folder and reaches hidden files, but never .git', async () => {
    await write({
      'a.ts': '',
      'src/b.ts': '',
      'src/deep/c.ts': '',
      '.hidden/d.ts': '',
      '.git/e.ts': '',
      'x.js': '',
    });
    expect(await find('*.ts')).toEqual(['a.ts']);
    expect(await find('**/*.ts')).toEqual(['.hidden/d.ts', 'a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await find('./src/*.ts')).toEqual(['src/b.ts']);
    expect(await find('{src,.hidden}/**')).toEqual(['.hidden/d.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await find('**/*.{ts,js}', { folder: path('src') })).toEqual(['b.ts', 'deep/c.ts']);
    expect(await find('*.py')).toEqual([]);
  });

  test('names compare without case unless asked otherwise', async () => {
    await write({ 'Readme.MD': '', 'notes.md': '' });
    expect(await find('*.md')).toEqual(['Readme.MD', 'notes.md']);
    expect(await find('*.md', { caseSensitive: true })).toEqual(['notes.md']);
  });

  test('what is excluded by name or by path is left out with all that is below', async () => {
    await write({
      'a.ts': '',
      'lib/b.ts': '',
      'x/lib/c.ts': '',
      'x/out/d.ts': '',
      'out/e.ts': '',
      'f.log': '',
    });
    expect(await find('**', { exclude: ['lib', '*.log', 'x/out'] })).toEqual(['a.ts', 'out/e.ts']);
    expect(await find('**', { exclude: ['**/lib/**', 'out/**'] })).toEqual(['a.ts', 'f.log', 'x/out/d.ts']);
    expect(await find('**/*.ts', { folder: path('x'), exclude: ['out/*.ts'] })).toEqual(['lib/c.ts']);
  });

  test('links are not followed', async () => {
    await write({ 'in/a.ts': '', 'outside/b.ts': '' });
    await link('../outside', 'in/folder');
    await link('../outside/b.ts', 'in/b.ts');
    await link('.', 'in/circle');
    expect(await find('**', { folder: path('in') })).toEqual(['a.ts']);
  });

  test('unusual names are found and given back exactly', async () => {
    const names = ['with blank.ts', 'žluť.ts', '[id].ts', "it's.ts", '-dash.ts', 'a{b}.ts', '日本/語.ts'];
    await write(Object.fromEntries(names.map(name => [name, 'needle'])));
    expect(await find('**/*.ts')).toEqual([...names].sort());
  });
}

function contractOfText({ write, path, grep }: Tree): void {
  test('matching lines come with their numbers, file by file', async () => {
    await write({ 'b.txt': 'one\ntwo needle\nthree\nneedle', 'a.txt': 'needle\r\nx\r\n', 'c.txt': 'none\n' });
    expect(await grep('needle$')).toEqual({
      files: [
        { path: path('a.txt'), lines: [{ number: 1, text: 'needle', isMatch: true }] },
        {
          path: path('b.txt'),
          lines: [
            { number: 2, text: 'two needle', isMatch: true },
            { number: 4, text: 'needle', isMatch: true },
          ],
        },
      ],
      total: 3,
      limited: false,
    });
  });

  test('a pattern is a regular expression without case, or literal, or with case', async () => {
    await write({ 'a.txt': 'fo+o(1)\nFOO1\nfoo1\n-x\n' });
    expect(shown(await grep('fo+o\\d'))).toEqual(['a.txt:2 FOO1', 'a.txt:3 foo1']);
    expect(shown(await grep('foo1', { caseSensitive: true }))).toEqual(['a.txt:3 foo1']);
    expect(shown(await grep('FO+O(', { literal: true }))).toEqual(['a.txt:1 fo+o(1)']);
    expect(shown(await grep('-x'))).toEqual(['a.txt:4 -x']);
    expect(shown(await grep('foo(?=1)', { caseSensitive: true }))).toEqual(['a.txt:3 foo1']);
  });

  test('context is given once, around matches only', async () => {
    await write({ 'a.txt': '1\n2\nneedle\n4\n5 needle\n6\n7\n8\n9\n10 needle\n11\n' });
    expect(shown(await grep('needle', { before: 1, after: 1 }))).toEqual([
      'a.txt:2- 2',
      'a.txt:3 needle',
      'a.txt:4- 4',
      'a.txt:5 5 needle',
      'a.txt:6- 6',
      'a.txt:9- 9',
      'a.txt:10 10 needle',
      'a.txt:11- 11',
    ]);
  });

  test('files are taken and left out by globs of names or of paths', async () => {
    const text = 'needle\n';
    await write({ 'a.ts': text, 'b.js': text, 'src/c.ts': text, 'src/d.test.ts': text, 'lib/e.ts': text });
    expect(shown(await grep('needle', { include: '*.ts', exclude: ['*.test.ts', 'lib'] }))).toEqual([
      'a.ts:1 needle',
      'c.ts:1 needle',
    ]);
    expect(shown(await grep('needle', { include: 'src/**/*.{ts,js}' }))).toEqual([
      'c.ts:1 needle',
      'd.test.ts:1 needle',
    ]);
    expect(shown(await grep('needle', { path: path('src'), include: 'c.*' }))).toEqual(['c.ts:1 needle']);
  });

  test('one file can be searched, whatever ignore files say', async () => {
    await write({ '.gitignore': 'a.txt', 'a.txt': 'needle', 'b.txt': 'needle' });
    expect(shown(await grep('needle', { path: path('a.txt') }))).toEqual(['a.txt:1 needle']);
  });

  test('lines that match the excluding expression are dropped, with their context', async () => {
    await write({ 'a.txt': 'needle A\nx\ny\nneedle b\nz\n' });
    expect(shown(await grep('needle', { excludeLines: 'a$', after: 1 }))).toEqual([
      'a.txt:4 needle b',
      'a.txt:5- z',
    ]);
    const one = await grep('needle', { excludeLines: 'a$', maxPerFile: 1 });
    expect(shown(one)).toEqual(['a.txt:4 needle b']);
  });

  test('binary files are passed over, text in UTF-16 and in old encodings is found', async () => {
    await write({
      'bin.dat': Uint8Array.from([...Buffer.from('needle\n'), 0, 1, 2, ...Buffer.from('\nneedle\n')]),
      'wide.txt': Uint8Array.from([0xff, 0xfe, ...Buffer.from('x\nneedle ž\n', 'utf16le')]),
      'old.txt': Uint8Array.from([...Buffer.from('caf'), 0xe9, ...Buffer.from(' needle\n')]),
    });
    const lines = shown(await grep('needle'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^old.txt:1 caf. needle$/u);
    expect(lines[1]).toBe('wide.txt:2 needle ž');
  });

  test('long lines are cut at 2000 characters, never within a character', async () => {
    await write({ 'a.txt': `needle${'x'.repeat(3_000_000)}\n`, 'b.txt': `needle${'x'.repeat(1993)}😀😀\n` });
    const { files } = await grep('needle');
    expect(files.map(file => file.lines[0]?.text)).toEqual([
      `needle${'x'.repeat(1994)}…`,
      `needle${'x'.repeat(1993)}…`,
    ]);
  });
}

function contractOfIgnoring({ write, path, find, grep }: Tree): void {
  test('ignore files of the folder, above and below count, the deeper one first', async () => {
    await write({
      '.git/HEAD': '',
      '.gitignore': '*.log\n/build/\n',
      'a.log': 'needle',
      'a.txt': 'needle',
      'build/b.txt': 'needle',
      'src/build/c.txt': 'needle',
      'src/.gitignore': '!keep.log\nsecret*\n',
      'src/keep.log': 'needle',
      'src/other.log': 'needle',
      'src/secret.txt': 'needle',
    });
    const inSrc = ['.gitignore', 'build/c.txt', 'keep.log'];
    const all = ['.gitignore', 'a.txt', ...inSrc.map(name => `src/${name}`)];
    expect(await find('**')).toEqual(all);
    expect(await find('**', { folder: path('src') })).toEqual(inSrc);
    expect(shown(await grep('needle'))).toEqual(['a.txt:1 needle', 'c.txt:1 needle', 'keep.log:1 needle']);
    expect(await find('**/*.log', { respectGitIgnore: false })).toEqual([
      'a.log',
      'src/keep.log',
      'src/other.log',
    ]);
    expect((await grep('needle', { noIgnore: true })).total).toBe(7);
  });

  test('a repository is not needed, and what stands above one does not reach into it', async () => {
    await write({
      '.gitignore': '*.log',
      'a.log': '',
      'sub/c.log': '',
      'inner/.git/HEAD': '',
      'inner/b.log': '',
    });
    expect(await find('**', { exclude: ['inner'] })).toEqual(['.gitignore']);
    expect(await find('**', { folder: path('sub') })).toEqual([]);
    expect(await find('**', { folder: path('inner') })).toEqual(['b.log']);
  });

  test('.geminiignore counts separately, also for folders below it', async () => {
    await write({
      '.git/HEAD': '',
      '.geminiignore': '/src/private/\n*.key\n',
      'a.key': 'needle',
      'src/a.key': 'needle',
      'src/private/b.txt': 'needle',
      'src/deep/private/c.txt': 'needle',
      'src/d.txt': 'needle',
    });
    expect(await find('**/*.*', { exclude: ['.geminiignore'] })).toEqual([
      'src/d.txt',
      'src/deep/private/c.txt',
    ]);
    const src = { folder: path('src') };
    expect(await find('**', src)).toEqual(['d.txt', 'deep/private/c.txt']);
    expect(await find('*.{key,txt}', { ...src, exclude: ['deep/private'] })).toEqual(['d.txt']);
    expect(await find('**', { ...src, respectGeminiIgnore: false })).toEqual([
      'a.key',
      'd.txt',
      'deep/private/c.txt',
      'private/b.txt',
    ]);
    expect(await find('**/*.key', { ...src, respectGitIgnore: false })).toEqual([]);
    expect((await grep('needle', { path: path('src') })).total).toBe(2);
    expect(shown(await grep('needle', { path: path('src'), include: 'deep/**/*.txt' }))).toEqual([
      'c.txt:1 needle',
    ]);
    const all = { path: path('src'), noIgnore: true };
    expect((await grep('needle', all)).total).toBe(2);
    expect((await grep('needle', { ...all, respectGeminiIgnore: false })).total).toBe(4);
  });
}

function contractOfLimits({ write, grep }: Tree): void {
  test('a file gives no more than its share', async () => {
    await write({ 'a.txt': 'needle\n'.repeat(10), 'b.txt': 'needle\nx\nneedle\n' });
    const found = await grep('needle', { maxPerFile: 2 });
    expect(found).toMatchObject({ total: 4, limited: false });
    expect(shown(found)).toEqual(['a.txt:1 needle', 'a.txt:2 needle', 'b.txt:1 needle', 'b.txt:3 needle']);
  });

  test('the total ends the search, and only what was cut counts as limited', async () => {
    await write({ 'a.txt': 'needle\nx\n'.repeat(5) });
    expect(await grep('needle', { maxTotal: 5 })).toMatchObject({ total: 5, limited: false });
    const cut = await grep('needle', { maxTotal: 3, before: 1, after: 1 });
    expect(cut).toMatchObject({ total: 3, limited: true });
    expect(cut.files[0]?.lines.map(line => line.number)).toEqual([1, 2, 3, 4, 5, 6]);
    const files = Array.from({ length: 200 }, (_, index) => [`many/${index}.txt`, 'needle\n'.repeat(500)]);
    await write(Object.fromEntries(files));
    const some = await grep('needle', { maxTotal: 1000 });
    expect(some).toMatchObject({ total: 1000, limited: true });
    expect(some.files.flatMap(file => file.lines)).toHaveLength(1000);
  });
}

function contractOfFailures({ write, path, find, grep, search }: Tree): void {
  test('a malformed expression is told with the reason', async () => {
    await write({ 'a.txt': 'x' });
    await expect(grep('(open')).rejects.toThrow(SearchError);
    await expect(find('x'.repeat(100_000))).rejects.toThrow(SearchError);
    await expect(grep('(open')).rejects.toThrow(/unclosed group|[Uu]nterminated group/);
    await expect(grep('x', { excludeLines: '[' })).rejects.toThrow(SearchError);
    expect((await grep('(open', { literal: true })).total).toBe(0);
  });

  test('a pattern that spans lines is refused, and a class with a line break is not', async () => {
    await write({ 'a.txt': 'one two\nthree' });
    for (const pattern of ['one\\n', 'two\\r\\nthree', 'two\nthree', '\\\\\\n', '(two\\nthree)'])
      await expect(grep(pattern)).rejects.toThrow('Lines are searched one by one');
    await expect(grep('two\nthree', { literal: true })).rejects.toThrow('Lines are searched one by one');
    await expect(grep('x', { excludeLines: 'a\\nb' })).rejects.toThrow('Lines are searched one by one');
    for (const pattern of ['e[^\\n]+o', 'one[\\s\\n]two'])
      expect((await grep(pattern)).total, pattern).toBe(1);
    expect((await grep('two\\n', { literal: true })).total).toBe(0);
    expect((await grep('one\\\\n')).total).toBe(0);
  });

  test('a place that does not exist is told as such', async () => {
    await expect(grep('x', { path: path('none') })).rejects.toThrow(
      `There is no file or folder ${path('none')}.`,
    );
    await expect(find('**', { folder: path('none') })).rejects.toThrow(SearchError);
  });

  test('an abort before or during the search rejects with its reason', async () => {
    const files = Array.from({ length: 300 }, (_, index) => [
      `d${index % 20}/${index}.txt`,
      'needle\n'.repeat(300),
    ]);
    await write(Object.fromEntries(files));
    const reason = new Error('enough');
    const text = { path: path('.'), pattern: 'needle', maxTotal: 1_000_000 };
    await expect(search().findText(text, AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(
      search().findFiles({ folder: path('.'), pattern: '**' }, AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
    const controller = new AbortController();
    const searching = search().findText(text, controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(searching).rejects.toBe(reason);
  });
}

/** `name:number text`, with `-` after the number of a line of context. */
function shown(matches: TextMatches): readonly string[] {
  return matches.files.flatMap(file =>
    file.lines.map(line => {
      const name = file.path.slice(file.path.lastIndexOf(sep) + 1);
      return `${name}:${line.number}${line.isMatch ? '' : '-'} ${line.text}`;
    }),
  );
}
