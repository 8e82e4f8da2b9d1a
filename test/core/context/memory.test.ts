import { describe, expect, test } from 'vitest';
import { type MemoryPlace, memoryLimit, readMemory } from '../../../src/extension/core/context/memory.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const place: MemoryPlace = {
  globalFile: '/home/ada/.gemini/GEMINI.md',
  folders: ['/a', '/b'],
  trusted: true,
};
const all = {
  '/home/ada/.gemini/GEMINI.md': 'person',
  '/a/GEMINI.md': 'a gemini',
  '/a/AGENTS.md': 'a agents',
  '/b/AGENTS.md': 'b agents',
};

describe('memory files', () => {
  test('come with their paths, general before particular', async () => {
    const { blocks, problems } = await readMemory(new MemoryFileSystem(all), place);
    expect(blocks).toEqual(Object.entries(all).map(([path, text]) => ({ path, text })));
    expect(problems).toEqual([]);
  });

  test("count only as the person's own in a workspace that is not trusted", async () => {
    const { blocks } = await readMemory(new MemoryFileSystem(all), { ...place, trusted: false });
    expect(blocks.map(block => block.text)).toEqual(['person']);
  });

  test('may be missing, empty or a folder without a word', async () => {
    const files = new MemoryFileSystem({ '/a/GEMINI.md': '\n', '/b/AGENTS.md/x': '' });
    expect(await readMemory(files, place)).toEqual({ blocks: [], problems: [] });
  });

  test('are read once when two names lead to the same file', async () => {
    const files = new MemoryFileSystem({ '/a/AGENTS.md': 'once' });
    files.symlink('/a/AGENTS.md', '/a/GEMINI.md');
    const { blocks } = await readMemory(files, place);
    expect(blocks).toEqual([{ path: '/a/GEMINI.md', text: 'once' }]);
  });

  test('are not followed out of their folder', async () => {
    const files = new MemoryFileSystem({ '/etc/passwd': 'root:x' });
    files.symlink('/etc/passwd', '/a/AGENTS.md');
    const { blocks, problems } = await readMemory(files, place);
    expect(blocks).toEqual([]);
    expect(problems).toEqual([
      'The memory file /a/AGENTS.md is not used: it is a link that leads out of the workspace.',
    ]);
  });

  test('are cut to a bound, and say so', async () => {
    const files = new MemoryFileSystem({ '/a/GEMINI.md': 'x'.repeat(memoryLimit + 5) });
    const { blocks } = await readMemory(files, place);
    expect(blocks[0]?.text).toBe(`${'x'.repeat(memoryLimit)}\n(cut here: 5 more characters)`);
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
