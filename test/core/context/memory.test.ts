import { describe, expect, test } from 'vitest';
import { readMemory } from '../../../src/extension/core/context/memory.ts';
import { memoryLimit } from '../../../src/extension/core/context/memoryImports.ts';
import type { MemorySources } from '../../../src/extension/core/context/memoryPlace.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const place: MemorySources = {
  home: '/home/ada/.gemini',
  names: ['GEMINI.md', 'AGENTS.md'],
  folders: ['/a', '/b'],
  extra: [],
  trusted: true,
};
const all = {
  '/home/ada/.gemini/GEMINI.md': 'person',
  '/a/GEMINI.md': 'a gemini',
  '/a/AGENTS.md': 'a agents',
  '/b/AGENTS.md': 'b agents',
};

const texts = async (files: MemoryFileSystem, where: Partial<MemorySources> = {}) =>
  (await readMemory(files, { ...place, ...where })).blocks.map(block => block.text);

describe('memory files', () => {
  test('come with their paths, general before particular', async () => {
    const { blocks, problems } = await readMemory(new MemoryFileSystem(all), place);
    expect(blocks).toEqual(Object.entries(all).map(([path, text]) => ({ path, text })));
    expect(problems).toEqual([]);
  });

  test("count only as the user's own in a workspace that is not trusted", async () => {
    expect(await texts(new MemoryFileSystem(all), { trusted: false })).toEqual(['person']);
  });

  test('may be missing, empty or a folder without a word', async () => {
    const files = new MemoryFileSystem({ '/a/GEMINI.md': '\n', '/b/AGENTS.md/x': '' });
    expect(await readMemory(files, place)).toEqual({
      blocks: [],
      problems: [],
      loaded: new Set(),
      whole: new Map(),
    });
  });

  test('are read once when two names lead to the same file', async () => {
    const files = new MemoryFileSystem({ '/a/AGENTS.md': 'once' });
    files.symlink('/a/AGENTS.md', '/a/GEMINI.md');
    const { blocks } = await readMemory(files, place);
    expect(blocks).toEqual([{ path: '/a/GEMINI.md', text: 'once' }]);
  });

  test('of another program count where there are none of other names, and those of the user always', async () => {
    const files = new MemoryFileSystem({
      '/home/ada/.gemini/GEMINI.md': 'person',
      '/home/ada/.claude/CLAUDE.md': 'also user\n@more.md',
      '/home/ada/.claude/more.md': 'and more',
      '/a/AGENTS.md': 'a agents',
      '/a/CLAUDE.md': 'a claude',
      '/b/AGENTS.md': ' ',
      '/b/CLAUDE.md': 'b claude',
    });
    const names = ['CLAUDE.md', ...place.names];
    expect((await texts(files, { names })).map(text => text.split('\n')[0])).toEqual([
      'person',
      'also user',
      'a agents',
      'b claude',
    ]);
    expect((await texts(files, { names }))[1]).toContain('and more');
    expect(await texts(files)).toEqual(['person', 'a agents']);
  });

  test('are not followed out of their project', async () => {
    const files = new MemoryFileSystem({ '/etc/passwd': 'root:x' });
    files.symlink('/etc/passwd', '/a/AGENTS.md');
    const { blocks, problems } = await readMemory(files, place);
    expect(blocks).toEqual([]);
    expect(problems).toEqual([
      'The memory file /a/AGENTS.md is ignored: it is a link that leads out of the project.',
    ]);
  });

  test('are cut to a bound, and say so', async () => {
    const files = new MemoryFileSystem({ '/a/GEMINI.md': 'x'.repeat(memoryLimit + 5) });
    expect(await texts(files)).toEqual([`${'x'.repeat(memoryLimit)}\n(cut here: 5 more characters)`]);
  });

  test('that are huge or binary are named and do not hide the others', async () => {
    const files = new MemoryFileSystem({
      '/a/GEMINI.md': 'x'.repeat(1024 * 1024 + 1),
      '/a/AGENTS.md': Uint8Array.of(0, 1, 2),
      '/b/GEMINI.md': 'good',
    });
    const { blocks, problems } = await readMemory(files, place);
    expect(blocks).toEqual([{ path: '/b/GEMINI.md', text: 'good' }]);
    expect(problems).toHaveLength(2);
  });
});

describe('their names', () => {
  const files = new MemoryFileSystem({
    ...all,
    '/a/NOTES.md': 'notes',
    '/home/ada/.gemini/NOTES.md': 'own notes',
  });

  test('are what the user sets, and what they had remembered still counts', async () => {
    expect(await texts(files, { names: ['NOTES.md'] })).toEqual(['person', 'own notes', 'notes']);
    expect(await texts(files, { names: [] })).toEqual(['person']);
  });

  test('lead to no other folder', async () => {
    expect(await texts(files, { names: ['../a/AGENTS.md', '..', '', '/a/AGENTS.md'] })).toEqual(['person']);
  });
});

describe('above the workspace', () => {
  const tree = {
    '/GEMINI.md': 'machine',
    '/repo/.git/HEAD': '',
    '/repo/GEMINI.md': 'root',
    '/repo/apps/AGENTS.md': 'apps',
    '/repo/apps/shop/GEMINI.md': 'shop',
    '/repo/apps/till/GEMINI.md': 'till',
  };
  const shop = { folders: ['/repo/apps/shop'] };

  test('files count from the root of the repository down, and not beyond it', async () => {
    expect(await texts(new MemoryFileSystem(tree), shop)).toEqual(['root', 'apps', 'shop']);
  });

  test('two folders of one repository share what is above them', async () => {
    const folders = ['/repo/apps/shop', '/repo/apps/till'];
    expect(await texts(new MemoryFileSystem(tree), { folders })).toEqual(['root', 'apps', 'shop', 'till']);
  });

  test('a repository inside of another is its own', async () => {
    const inner = { ...tree, '/repo/apps/shop/.git': 'gitdir: elsewhere' };
    expect(await texts(new MemoryFileSystem(inner), shop)).toEqual(['shop']);
  });

  test('nothing counts where there is no repository', async () => {
    const { '/repo/.git/HEAD': _, ...bare } = tree;
    expect(await texts(new MemoryFileSystem(bare), shop)).toEqual(['shop']);
  });

  test('nothing counts in a workspace that is not trusted', async () => {
    expect(await texts(new MemoryFileSystem(tree), { ...shop, trusted: false })).toEqual([]);
  });

  test('a link may lead to elsewhere in the repository, not out of it', async () => {
    const files = new MemoryFileSystem({ ...tree, '/repo/docs/agents.md': 'shared', '/secret': 'key' });
    files.symlink('/repo/docs/agents.md', '/repo/apps/shop/AGENTS.md');
    files.symlink('/secret', '/repo/AGENTS.md');
    expect(await texts(files, shop)).toEqual(['root', 'apps', 'shop', 'shared']);
  });
});
