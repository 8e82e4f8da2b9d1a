import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Emitter } from '../../../src/extension/base/emitter.ts';
import { completeMention } from '../../../src/extension/core/mentions/completeMention.ts';
import { FileIndex, type IndexedFileChange } from '../../../src/extension/core/mentions/fileIndex.ts';
import { WorkspacePaths } from '../../../src/extension/core/paths.ts';
import { noWorkbench } from '../../../src/extension/headless/editorStandIns.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../../src/extension/node/search/nodeSearch.ts';
import type { EditorContext } from '../../../src/extension/platform/editor.ts';
import type { FileQuery, RuleStamps, Search } from '../../../src/extension/platform/search.ts';
import type { Workbench } from '../../../src/extension/platform/workbench.ts';
import { createMentionFiles } from '../../../src/extension/tools/createMentionFiles.ts';
import { completionHandlers } from '../../../src/extension/vscode/panel/handlers/completionHandlers.ts';
import type { PanelFeed } from '../../../src/extension/vscode/panel/panelFeed.ts';
import type { PanelPage } from '../../../src/extension/vscode/panel/panelPage.ts';
import type { ToWebview } from '../../../src/protocol/panel/messages.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** The real search, counted. */
class CountedSearch implements Search, RuleStamps {
  private readonly search = new NodeSearch();
  listings = 0;

  findFiles(query: FileQuery, signal: AbortSignal) {
    this.listings++;
    return this.search.findFiles(query, signal);
  }

  findText(...args: Parameters<Search['findText']>) {
    return this.search.findText(...args);
  }

  readIgnoreRules(...args: Parameters<Search['readIgnoreRules']>) {
    return this.search.readIgnoreRules(...args);
  }

  stampRules(folder: string) {
    return this.search.stampRules(folder);
  }
}

describe('completion of a mention', () => {
  let root: string;
  let folders: readonly string[];
  let changes: Emitter<IndexedFileChange>;
  let index: FileIndex;
  let search: CountedSearch;
  let warnings: string[];

  beforeEach(async () => {
    root = await temporaryFolder('folio-git-');
    folders = [root];
    changes = new Emitter();
    search = new CountedSearch();
    warnings = [];
    index = makeIndex();
  });
  afterEach(async () => {
    index.dispose();
  });

  const disk = new NodeFileSystem();
  const log = { debug() {}, info() {}, warn: (text: string) => void warnings.push(text), error() {} };
  const files = () => createMentionFiles({ files: disk, search, paths: new WorkspacePaths(disk, folders) });

  function makeIndex(limit?: number): FileIndex {
    const event = changes.event;
    return new FileIndex({
      folders: () => folders,
      search,
      files,
      changes: event,
      log,
      ...(limit ? { limit } : {}),
    });
  }

  async function write(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), path === '.gitignore' ? 'dist/\n*.secret\n' : path);
    }
  }

  async function complete(
    query: string,
    context: EditorContext = { open: [] },
    workbench: Workbench = noWorkbench,
  ) {
    const editor = { readContext: () => context, onDidChange: () => ({ dispose: () => {} }) };
    const ports = { folders: () => folders, index, editor, workbench, disk, files };
    return await completeMention(ports, query, new AbortController().signal);
  }

  async function inserts(query: string, context?: EditorContext): Promise<readonly string[]> {
    return (await complete(query, context)).choices.map(choice => choice.insert);
  }

  function change(kind: IndexedFileChange['kind'], path: string): void {
    changes.fire({ kind, path: join(root, path) });
  }

  test('offers files and folders as they are written, best first', async () => {
    await write('src/invoice.ts', 'src/my notes.md', 'invoices/a.ts');
    const { choices, limited } = await complete('invo');
    expect(choices).toEqual([
      { kind: 'folder', label: 'invoices/', insert: '@invoices/' },
      { kind: 'file', label: 'invoice.ts', insert: '@src/invoice.ts ', detail: 'src' },
      { kind: 'file', label: 'a.ts', insert: '@invoices/a.ts ', detail: 'invoices' },
    ]);
    expect(limited).toBe(false);
    expect(await inserts('notes')).toEqual(['@"src/my notes.md" ']);
    expect(await inserts('"my no')).toEqual(['@"src/my notes.md" ']);
  });

  test('before a letter is typed the fixed sources come, what is open, what was edited, and the top', async () => {
    await write('src/a.ts', 'src/b.ts', 'src/c.ts', 'README.md');
    const context = {
      active: { path: join(root, 'src/c.ts'), cursor: { line: 1, character: 1 } },
      open: [join(root, 'src/b.ts')],
      edited: [join(root, 'src/a.ts'), '/elsewhere/x.ts'],
    };
    expect(await inserts('', context)).toEqual([
      '@problems ',
      '@terminal ',
      '@diff ',
      '@symbol:',
      '@src/c.ts ',
      '@src/b.ts ',
      '@src/a.ts ',
      '@src/',
      '@README.md ',
    ]);
    expect((await inserts('ter'))[0]).toBe('@terminal ');
  });

  test('what is open goes before what is alike', async () => {
    await write('a/index.ts', 'b/index.ts');
    expect((await inserts('index'))[0]).toBe('@a/index.ts ');
    expect((await inserts('index', { open: [join(root, 'b/index.ts')] }))[0]).toBe('@b/index.ts ');
  });

  test('of several folders those beside the first are named, where the name can mean nothing else', async () => {
    await write('alpha/src/a.ts', 'alpha/docs/old.md', 'beta/src/a.ts', 'beta/.gitignore', 'docs/a.ts');
    await write('beta/dist/out.js');
    folders = ['alpha', 'beta', 'docs'].map(name => join(root, name));
    expect((await inserts('a.ts')).toSorted()).toEqual([
      `@${root}/docs/a.ts `,
      '@beta/src/a.ts ',
      '@src/a.ts ',
    ]);
    const open = [join(root, 'beta/src/a.ts')];
    expect((await inserts('a.ts', { open }))[0]).toBe('@beta/src/a.ts ');
    expect(await inserts('beta/dist/o')).toEqual(['@beta/dist/out.js ']);
    await write('beta/src/fresh.ts');
    change('created', 'beta/src/fresh.ts');
    expect(await inserts('fresh')).toEqual(['@beta/src/fresh.ts ']);
    // Of the folder that is shown with its whole path, what lies above it is nothing to find or to offer.
    expect(await inserts(basename(root))).toEqual([]);
    expect(await inserts(`${root}/docs/a`)).toEqual([`@${root}/docs/a.ts `]);
  });

  test('ignored files are offered by their exact beginning only, and marked', async () => {
    await write('.gitignore', 'dist/out.js', 'src/a.secret', 'src/district.ts');
    expect((await complete('dist/')).choices).toEqual([
      { kind: 'file', label: 'out.js', insert: '@dist/out.js ', detail: 'dist', ignored: true },
    ]);
    expect((await complete('dist')).choices).toEqual([
      { kind: 'file', label: 'district.ts', insert: '@src/district.ts ', detail: 'src' },
      { kind: 'folder', label: 'dist/', insert: '@dist/', ignored: true },
    ]);
    expect((await complete('src/a.s')).choices).toMatchObject([{ insert: '@src/a.secret ', ignored: true }]);
    expect((await complete('secret')).choices).toEqual([]);
  });

  test('lists the workspace once, and hears of files that come and go', async () => {
    await write('.gitignore', 'src/a.ts', 'src/old.ts');
    expect(await inserts('src/')).toContain('@src/old.ts ');
    await write('src/new.ts', 'dist/new.js');
    await rm(join(root, 'src/old.ts'));
    change('created', 'src/new.ts');
    change('created', 'dist/new.js');
    change('deleted', 'src/old.ts');
    expect([...(await inserts('src/'))].sort()).toEqual(['@src/', '@src/a.ts ', '@src/new.ts ']);
    expect(await inserts('newjs')).toEqual([]);
    expect(search.listings).toBe(1);
  });

  test('a folder that went takes its files along', async () => {
    await write('src/a.ts', 'src/deep/b.ts', 'srcs/c.ts');
    await inserts('a');
    await rename(join(root, 'src'), join(root, '..', `${root.split('/').at(-1)}-gone`));
    change('deleted', 'src');
    expect([...(await inserts('src'))].sort()).toEqual(['@srcs/', '@srcs/c.ts ']);
    await rm(`${root}-gone`, { recursive: true });
  });

  test('many changes, or other rules, have everything listed again while the old list serves', async () => {
    await write('.gitignore', 'a.ts', 'made.secret');
    await inserts('a');
    await writeFile(join(root, '.gitignore'), '');
    change('rules', '.gitignore');
    await expect.poll(() => inserts('made')).toEqual(['@made.secret ']);
    for (let number = 0; number < 40; number++) {
      await write(`file${number}.ts`);
      change('created', `file${number}.ts`);
    }
    await expect.poll(() => inserts('file39')).toEqual(['@file39.ts ']);
    expect(search.listings).toBe(3);
    expect(warnings).toEqual([]);
  });

  test.each(['.git/info/exclude', '.gitignore', '.geminiignore'])(
    'rules of %s that no watcher reports hold for the next list',
    async file => {
      await write('.git/HEAD', 'src/a.ts', 'src/made.ts');
      expect(await inserts('made')).toEqual(['@src/made.ts ']);
      await mkdir(join(root, '.git', 'info'));
      await writeFile(join(root, file), 'made.ts\n');
      await expect.poll(() => inserts('made')).toEqual([]);
      await writeFile(join(root, file), 'a.ts\n');
      await expect.poll(() => inserts('made')).toEqual(['@src/made.ts ']);
      await rm(join(root, file));
      await expect.poll(() => inserts('a.ts')).toContain('@src/a.ts ');
      expect(search.listings).toBe(4);
    },
  );

  test('keeps no more files than it may, and says so', async () => {
    await write('a.ts', 'b.ts', 'c.ts');
    index.dispose();
    index = makeIndex(2);
    expect((await index.read()).entries).toHaveLength(2);
    expect((await complete('ts')).limited).toBe(true);
  });

  test('symbols come from the window, each name once', async () => {
    const place = { kind: 'Class', path: join(root, 'src/a.ts'), first: 1, last: 1 };
    const workbench: Workbench = {
      ...noWorkbench,
      findSymbols: async query => [query, `${query}2`, query, 'a b'].map(name => ({ ...place, name })),
    };
    for (const query of ['symbol:Tax', '#Tax']) {
      expect((await complete(query, undefined, workbench)).choices).toEqual([
        { kind: 'symbol', label: 'Tax', insert: '@symbol:Tax ', detail: 'Class in src/a.ts' },
        { kind: 'symbol', label: 'Tax2', insert: '@symbol:Tax2 ', detail: 'Class in src/a.ts' },
      ]);
    }
    expect((await complete('#Tax')).choices).toEqual([]);
  });

  test('an address and lines of a file are left to the user', async () => {
    await write('a.ts');
    expect((await complete('https://exa')).choices).toEqual([]);
    expect((await complete('a.ts:10')).choices).toEqual([]);
  });
});

describe('questions of the composer', () => {
  function handler(
    completeFor: (
      query: string,
      signal: AbortSignal,
    ) => Promise<never> | Promise<{ choices: []; limited: boolean }>,
  ) {
    const reported: ToWebview[] = [];
    const warnings: string[] = [];
    const feed: Pick<PanelFeed, 'notify'> = { notify: message => void reported.push(message) };
    // Of a page the handler needs its feed only, and the rest needs VS Code.
    const asking = { feed } as PanelPage;
    const log = { debug() {}, info() {}, warn: (text: string) => void warnings.push(text), error() {} };
    const promptCommands = { complete: (query: string) => completeFor(query, new AbortController().signal) };
    const handlers = completionHandlers(completeFor, promptCommands, log);
    const ask = async (number: number, query: string) =>
      await handlers['completion.ask']({ type: 'completion.ask', number, trigger: '@', query }, asking);
    return { ask, reported, warnings };
  }

  test('only the newest is answered', async () => {
    const waiting: (() => void)[] = [];
    const { ask, reported } = handler(
      () => new Promise(resolve => waiting.push(() => resolve({ choices: [], limited: false }))),
    );
    const asked = [ask(1, 'a'), ask(2, 'ab'), ask(3, 'abc')];
    for (const answer of waiting.toReversed()) answer();
    await Promise.all(asked);
    expect(reported).toEqual([{ type: 'completion.told', number: 3, choices: [], limited: false }]);
  });

  test('one that fails gets an empty list and a line in the log', async () => {
    const { ask, reported, warnings } = handler(() => Promise.reject(new Error('no ripgrep')));
    await ask(7, 'a');
    expect(reported).toMatchObject([{ number: 7, choices: [] }]);
    expect(warnings).toHaveLength(1);
  });
});
