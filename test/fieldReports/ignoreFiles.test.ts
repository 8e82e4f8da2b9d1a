import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { customIgnoreFiles } from '../../src/extension/node/search/customIgnoreFiles.ts';
import { findRipgrep, packagedRipgrep } from '../../src/extension/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../src/extension/node/search/ripgrepSearch.ts';
import { WalkSearch } from '../../src/extension/node/search/walkSearch.ts';
import type { Settings } from '../../src/extension/platform/settings.ts';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { git, initRepository, makeFolder } from '../support/gitRepository.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { WorldCase } from './report.ts';

interface IgnoreCase extends WorldCase {
  /** Empty files hold the searched word, others hold rules. */
  readonly files: Readonly<Record<string, string>>;
  /** Ignore files that settings name. */
  readonly named?: readonly string[];
  /** Below the workspace folder; absent: that folder. */
  readonly searched?: string;
  /** Those of the files without rules that count, relative to the workspace folder. */
  readonly found: readonly string[];
  /** Those found by a search for text that spares what Git leaves out; absent: the same. */
  readonly foundWithIgnored?: readonly string[];
}

const cases: readonly IgnoreCase[] = [
  {
    title: 'a file of another agent',
    source: 'report',
    named: ['.aiexclude'],
    files: { '.aiexclude': 'private/\n*.key\n', 'a.txt': '', 'a.key': '', 'src/b.key': '', 'private/c': '' },
    found: ['a.txt'],
  },
  {
    title: 'a file in a folder, whose rules are relative to the workspace',
    source: 'report',
    named: ['config/ignored'],
    files: { 'config/ignored': '/top\nconfig/deep\n', top: '', 'config/top': '', 'config/deep': '' },
    found: ['config/top'],
  },
  {
    title: 'rules from the top, for a search below it',
    source: 'trial',
    named: ['.aiexclude'],
    files: { '.aiexclude': '/src/private\n', 'src/private/a': '', 'src/sub/private/b': '', 'private/c': '' },
    searched: 'src',
    found: ['src/sub/private/b'],
  },
  {
    title: 'a search in a repository below the workspace',
    source: 'trial',
    named: ['.aiexclude'],
    files: { '.aiexclude': '*.key\n', 'inner/.git/HEAD': 'ref', 'inner/a.key': '', 'inner/b.txt': '' },
    searched: 'inner',
    found: ['inner/b.txt'],
  },
  {
    title: 'the first file goes before the second, and both before .geminiignore',
    source: 'peer',
    named: ['.first', '.second'],
    files: {
      '.first': '!a.log\n',
      '.second': '*.log\n!b.tmp\n',
      '.geminiignore': '*.tmp\n',
      'a.log': '',
      'b.log': '',
      'a.tmp': '',
      'b.tmp': '',
    },
    found: ['a.log', 'b.tmp'],
  },
  {
    title: 'a .geminiignore in a subfolder alone',
    source: 'trial',
    files: { 'src/.geminiignore': '/private/\n*.key\n', 'src/private/a': '', 'src/b.key': '', 'c.key': '' },
    found: ['c.key'],
  },
  {
    title: 'a .geminiignore in a subfolder that Git leaves out, and one above',
    source: 'trial',
    files: {
      '.gitignore': '.geminiignore\n',
      '.geminiignore': '*.log\n',
      'a/b/.geminiignore': '*.key\n',
      'a/b/c/d.key': '',
      'a/b/c/d.log': '',
      'a/b/c/d.txt': '',
      'a/d.key': '',
    },
    found: ['a/b/c/d.txt', 'a/d.key'],
  },
  {
    title: 'a .geminiignore in a subfolder, for a search between the two',
    source: 'trial',
    files: { 'a/b/.geminiignore': '*.key\n', 'a/b/c.key': '', 'a/b/c.txt': '', 'a/c.key': '' },
    searched: 'a',
    found: ['a/b/c.txt', 'a/c.key'],
  },
  {
    title: 'a .geminiignore in a subfolder that brings back what one above leaves out',
    source: 'report',
    files: {
      '.geminiignore': '*.log\nbuild/\n/a/top.txt\n',
      'a/.geminiignore': '!kept.log\n!build/\n!/top.txt\n',
      'a/kept.log': '',
      'a/b/kept.log': '',
      'a/other.log': '',
      'a/build/x.txt': '',
      'a/build/x.log': '',
      'a/top.txt': '',
      'build/x.txt': '',
      'kept.log': '',
    },
    found: ['a/b/kept.log', 'a/build/x.txt', 'a/kept.log', 'a/top.txt'],
  },
  {
    title: 'one that Git leaves out, begins with a mark and lies below the searched folder',
    source: 'trial',
    files: {
      '.gitignore': '.geminiignore\n',
      '.geminiignore': '*.log\n',
      'a/b/.geminiignore': '\uFEFF!kept.log\r\n',
      'a/b/kept.log': '',
      'a/kept.log': '',
    },
    searched: 'a',
    found: ['a/b/kept.log'],
  },
  {
    title: 'one that speaks for a file in a folder that the one above leaves out',
    source: 'trial',
    files: {
      '.geminiignore': 'private/\n',
      'private/.geminiignore': '!a.txt\n',
      'private/a.txt': '',
      'b/.geminiignore': '!private/a.txt\n',
      'b/private/a.txt': '',
      'c.txt': '',
    },
    found: ['c.txt'],
  },
  {
    title: 'one below a folder that it brings back, and one that leaves out again',
    source: 'trial',
    files: {
      '.geminiignore': '*.gen/\n*.log\n',
      'p/.geminiignore': '!*.gen/\n',
      'p/x.gen/.geminiignore': '!*.log\nsecret.log\n',
      'p/x.gen/a.log': '',
      'p/x.gen/secret.log': '',
      'p/x.gen/b.txt': '',
      'q.gen/b.txt': '',
    },
    found: ['p/x.gen/a.log', 'p/x.gen/b.txt'],
  },
  {
    title: 'one that brings back what Git leaves out',
    source: 'trial',
    files: {
      '.gitignore': '*.log\n',
      '.geminiignore': '*.tmp\n',
      'a/.geminiignore': '!*.log\n!*.tmp\n',
      'a/x.log': '',
      'a/x.tmp': '',
      'y.tmp': '',
    },
    found: ['a/x.tmp'],
    foundWithIgnored: ['a/x.log', 'a/x.tmp'],
  },
  {
    title: 'a file that brings back what Git leaves out',
    source: 'trial',
    named: ['.aiexclude'],
    files: { '.aiexclude': '!a.log\n', '.gitignore': '*.log\n', 'a.log': '', 'b.txt': '' },
    found: ['b.txt'],
    foundWithIgnored: ['a.log', 'b.txt'],
  },
  {
    title: 'a file that is not there',
    source: 'report',
    named: ['.none', '.aiexclude'],
    files: { '.aiexclude': '*.key\n', 'a.key': '', 'b.txt': '' },
    found: ['b.txt'],
  },
];

const ripgrep = await findRipgrep(packagedRipgrep());
const names: readonly string[] = ['walking', ...(ripgrep === undefined ? [] : ['ripgrep'])];

describe.each(names)('ignore files for agents, searching by %s', name => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('folio-git-');
  });

  it.each(cases)('$title', async ({ files, named = [], searched = '', found, foundWithIgnored = found }) => {
    for (const [path, content] of Object.entries({ '.git/HEAD': 'ref', ...files })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content === '' ? 'needle\n' : content);
    }
    const warnings: string[] = [];
    const log = { warn: (sentence: string) => void warnings.push(sentence) };
    const settings = { get: () => named } as unknown as Settings;
    const custom = customIgnoreFiles({ settings, folders: () => [root], log });
    const env = { HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
    const search =
      name === 'walking' ? new WalkSearch(env, custom) : new RipgrepSearch(ripgrep ?? '', env, custom);
    const folder = join(root, searched);
    const { signal } = new AbortController();
    const show = (paths: readonly string[]) =>
      paths
        .map(path => relative(root, path))
        .filter(path => files[path] === '')
        .toSorted();
    const { paths } = await search.findFiles({ folder, pattern: '**/*' }, signal);
    expect(show(paths)).toEqual(found);
    const matches = await search.findText({ path: folder, pattern: 'needle', maxTotal: 100 }, signal);
    expect(show(matches.files.map(({ path }) => path))).toEqual(found);
    const query = { path: folder, pattern: 'needle', noIgnore: true, maxTotal: 100 };
    const all = await search.findText(query, signal);
    expect(show(all.files.map(({ path }) => path))).toEqual(foundWithIgnored);
    const unheeded = await search.findText({ ...query, respectGeminiIgnore: false }, signal);
    expect(unheeded.files.length).toBeGreaterThanOrEqual(all.files.length);
    const rules = await search.readIgnoreRules(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const present = entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name));
    expect(show(present.filter(path => rules.findIgnoring(path, 'file') === undefined))).toEqual(found);
    const missing = named.filter(each => !(each in files));
    expect(warnings).toHaveLength(missing.length);
    for (const each of missing) expect(warnings.join('\n')).toContain(each);
  });
});

describe('files named .geminiignore', () => {
  const folders = ['', 'a', 'a/b', 'a/build', 'c'];
  const names = ['x.log', 'y.txt', 'build/x.log', 'build/y.txt'];
  const lines = [
    '*.log',
    '!*.log',
    'build/',
    '!build/',
    '/x.log',
    '!x.log',
    'a/',
    '!b/',
    'b/**',
    '!y.txt',
    '*',
  ];
  const rules = fc.array(fc.constantFrom(...lines), { maxLength: 3 }).map(some => `${some.join('\n')}\n`);

  it('hold together as files named .gitignore do for Git', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(...folders.map(() => rules)), async all => {
        const { root, dispose } = await makeFolder();
        try {
          const [asked, reported] = ['asked', 'told'].map(name => join(root, name));
          for (const top of [asked!, reported!]) {
            await initRepository(top, {});
            for (const folder of folders) {
              for (const name of names) {
                await mkdir(dirname(join(top, folder, name)), { recursive: true });
                await writeFile(join(top, folder, name), 'needle\n');
              }
            }
          }
          for (const [at, folder] of folders.entries()) {
            await writeFile(join(asked!, folder, '.geminiignore'), all[at]!);
            await writeFile(join(reported!, folder, '.gitignore'), all[at]!);
          }
          const listed = await git(reported!, 'ls-files', '--others', '--exclude-standard', '-z');
          const show = (paths: readonly string[]) =>
            [...new Set(paths)].filter(path => !/ignore$/.test(path)).toSorted();
          const expected = show(listed.split('\0').filter(Boolean));
          const { signal } = new AbortController();
          const searches = [new WalkSearch({}), ...(ripgrep ? [new RipgrepSearch(ripgrep, {})] : [])];
          for (const search of searches) {
            const { paths } = await search.findFiles({ folder: asked!, pattern: '**/*' }, signal);
            expect(show(paths.map(path => relative(asked!, path)))).toEqual(expected);
            const query = { path: asked!, pattern: 'needle', maxTotal: 1000 };
            const { files } = await search.findText(query, signal);
            expect(show(files.map(({ path }) => relative(asked!, path)))).toEqual(expected);
          }
        } finally {
          await dispose();
        }
      }),
      { numRuns: runSize({ test: 3, prove: 300 }) },
    );
  });
});

describe('each way to the workspace leaves out what a named file leaves out', () => {
  const world = allTests(() => HeadlessWorld.make());
  beforeAll(async () => {
    await mkdir(join(world.workspace, 'scratch'));
    await writeFile(join(world.workspace, '.aiexclude'), 'mine.txt\nscratch/\n');
    for (const name of ['mine.txt', 'scratch/notes.md', 'kept.txt'])
      await writeFile(join(world.workspace, name), `needle in ${name}\n`);
  });

  it.each([
    ['context.fileFiltering.customIgnoreFilePaths', ['.aiexclude', '.none'], ''],
    ['folio.ignoreFiles', ['.aiexclude', '.none'], process.env.PATH ?? ''],
  ])('with %s: %j and PATH %j', async (key, value, path) => {
    const settings = join(world.folder, 'settings.json');
    await writeFile(settings, JSON.stringify({ [key]: value }));
    const searches = [
      call('glob', { pattern: '**/*' }),
      call('grep_search', { pattern: 'needle' }),
      call('list_directory', { dir_path: '.' }),
      call('read_many_files', { include: ['**/*.txt'] }),
    ];
    const named = [
      call('read_file', { file_path: 'mine.txt' }),
      call('read_file', { file_path: 'scratch/notes.md' }),
      call('replace', { file_path: 'mine.txt', old_string: 'needle', new_string: 'hay', instruction: 'x' }),
    ];
    world.server.script([...searches, ...named], [text('Done.')]);
    const args = ['--prompt', 'See @mine.txt and @kept.txt', '--settings', settings];
    const run = await world.run([...args, '--approval-mode', 'yolo'], { env: { PATH: path } });
    expect(run.code, run.error).toBe(0);
    expect(run.error).toContain('There is no ignore file .none');
    const results = lastResults(world.server.requests.at(-1)!).map(result => JSON.stringify(result));
    expect(results).toHaveLength(7);
    for (const result of results.slice(0, 4)) {
      expect(result).toContain('kept.txt');
      expect(result).not.toMatch(/mine\.txt|notes\.md/);
    }
    for (const result of results.slice(4)) expect(result).toContain('.aiexclude leaves it out');
    const { contents } = world.server.requests[0]!.body;
    const first = contents!.flatMap(({ parts }) => parts!.flatMap(part => part.text ?? [])).join('\n');
    expect(/<workspace>.*?<\/workspace>/s.exec(first)?.[0]).not.toMatch(/mine\.txt|scratch/);
    expect(first).toContain('needle in kept.txt');
    expect(first).not.toContain('needle in mine');
  });
});
