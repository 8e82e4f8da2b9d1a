import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeSearch } from '../../src/extension/node/search/nodeSearch.ts';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

const files = [
  'app/(shop)/cart.ts',
  'app/shop/cart.ts',
  'app/(.)photo/page.ts',
  'app/[slug]/page.ts',
  'app/[...rest]/page.ts',
  'Program Files (x86)/a.txt',
  'notes (copy).md',
  'notes copy.md',
  'src/routes/(app)/+page.svelte',
  'src/routes/app/+page.svelte',
  'a|b/c.txt',
  '!x',
  'one.ts',
  'two.ts',
  'a+(b',
];

/** The title is the pattern. */
const cases: readonly (WorldCase & { readonly found: readonly string[] })[] = [
  { title: 'app/(shop)/**', source: 'report', found: ['app/(shop)/cart.ts'] },
  { title: '**/(shop)/*.ts', source: 'peer', found: ['app/(shop)/cart.ts'] },
  { title: 'app/(.)photo/**', source: 'report', found: ['app/(.)photo/page.ts'] },
  { title: 'app/[slug]/page.ts', source: 'report', found: ['app/[slug]/page.ts'] },
  { title: 'app/[...rest]/page.ts', source: 'report', found: ['app/[...rest]/page.ts'] },
  { title: 'Program Files (x86)/*', source: 'report', found: ['Program Files (x86)/a.txt'] },
  { title: 'notes (copy)*', source: 'report', found: ['notes (copy).md'] },
  { title: 'src/routes/(app)/+page.*', source: 'report', found: ['src/routes/(app)/+page.svelte'] },
  { title: 'a|b/*', source: 'report', found: ['a|b/c.txt'] },
  { title: '!x', source: 'trial', found: ['!x'] },
  { title: 'a+(b', source: 'trial', found: ['a+(b'] },
  { title: '@(one|two).ts', source: 'peer', found: ['one.ts', 'two.ts'] },
  { title: '!(one).ts', source: 'peer', found: ['two.ts'] },
  { title: '{one,two}.ts', source: 'peer', found: ['one.ts', 'two.ts'] },
  { title: '{app/(shop),src}/*.ts', source: 'trial', found: ['app/(shop)/cart.ts'] },
];

async function writeAll(folder: string): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `needle in ${file}\n`);
  }
}

describe('a pattern finds what Git and ripgrep find by it', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'folio-globs-'));
    await writeAll(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(cases)('$title', async ({ title, found }) => {
    const { paths } = await new NodeSearch().findFiles(
      { folder, pattern: title },
      new AbortController().signal,
    );
    expect(paths.map(path => path.slice(folder.length + 1)).toSorted()).toEqual(found);
  });
});

describe('the same pattern means the same to each tool', () => {
  const world = allTests(() => HeadlessWorld.make());
  beforeAll(async () => {
    await writeAll(world.workspace);
  });

  it('reads and leaves out what it names', async () => {
    world.server.script(
      [
        call('read_many_files', { include: cases.map(({ title }) => title) }),
        call('read_many_files', { include: ['app/**'], exclude: ['app/(shop)/**'] }),
        call('list_directory', { dir_path: '.', ignore: ['notes (copy)*', 'a|b'] }),
      ],
      [text('Done.')],
    );
    const { code, error } = await world.run(['--prompt', 'go']);
    expect(code, error).toBe(0);
    const [all, without, list] = lastResults(world.server.requests.at(-1)!).map(({ output = '' }) => output);
    const wanted = new Set(cases.flatMap(({ found }) => found));
    for (const file of files) {
      if (wanted.has(file)) expect(all).toContain(`needle in ${file}\n`);
      else expect(all).not.toContain(`needle in ${file}\n`);
    }
    expect(without).toContain('app/shop/cart.ts');
    expect(without).not.toContain('app/(shop)/cart.ts');
    expect(list).toContain('notes copy.md');
    expect(list).not.toMatch(/notes \(copy\)|a\|b/);
  });
});
