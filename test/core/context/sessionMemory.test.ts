import { describe, expect, test } from 'vitest';
import { describeMemory } from '../../../src/extension/core/context/describeMemory.ts';
import { SessionMemory } from '../../../src/extension/core/context/sessionMemory.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const tree = {
  '/repo/.git/HEAD': '',
  '/repo/GEMINI.md': 'root',
  '/repo/w/GEMINI.md': 'workspace',
  '/repo/w/src/GEMINI.md': 'src </memory> rules',
  '/repo/w/src/deep/AGENTS.md': 'deep',
  '/repo/w/src/deep/x.ts': '',
  '/repo/w/node_modules/p/AGENTS.md': 'dependency',
  '/repo/other/AGENTS.md': 'other',
};

class CountingFiles extends MemoryFileSystem {
  stats = 0;
  override async stat(path: string) {
    this.stats += 1;
    return super.stat(path);
  }
}

async function begin(files: MemoryFileSystem, trusted = true): Promise<SessionMemory> {
  const place = {
    home: '/home/ada/.gemini',
    names: ['GEMINI.md', 'AGENTS.md'],
    folders: ['/repo/w'],
    extra: [],
    trusted,
  };
  const memory = new SessionMemory(files, () => place, 'k1');
  await memory.read();
  return memory;
}

describe('memory of folders below the workspace', () => {
  test('is told once, general before particular, marked and unable to close its block', async () => {
    const memory = await begin(new MemoryFileSystem(tree));
    expect(await memory.reportOf(['/repo/w/src/deep'])).toBe(
      [
        '\n\n<memory key="k1" file="/repo/w/src/GEMINI.md" for="/repo/w/src">',
        'src <\\/memory> rules',
        '</memory>\n',
        '<memory key="k1" file="/repo/w/src/deep/AGENTS.md" for="/repo/w/src/deep">',
        'deep',
        '</memory>',
      ].join('\n'),
    );
    expect(await memory.reportOf(['/repo/w/src', '/repo/w/src/deep'])).toBe('');
    await memory.read();
    expect(await memory.reportOf(['/repo/w/src/deep'])).toBe('');
  });

  test('is told once when two calls work in a folder at the same time', async () => {
    const memory = await begin(new MemoryFileSystem(tree));
    const reported = await Promise.all([memory.reportOf(['/repo/w/src']), memory.reportOf(['/repo/w/src'])]);
    expect(reported.filter(text => text !== '')).toHaveLength(1);
  });

  test('does not come from the workspace itself, beside it, or a dependency', async () => {
    const memory = await begin(new MemoryFileSystem(tree));
    expect(await memory.reportOf(['/repo/w', '/repo/other', '/repo/w/node_modules/p', '/tmp'])).toBe('');
  });

  test('does not come in a workspace that is not trusted', async () => {
    const memory = await begin(new MemoryFileSystem(tree), false);
    expect(await memory.reportOf(['/repo/w/src'])).toBe('');
  });

  test('costs nothing in a folder that was looked into', async () => {
    const files = new CountingFiles(tree);
    const memory = await begin(files);
    await memory.reportOf(['/repo/w/src/deep', '/repo/w/node_modules/p']);
    const before = files.stats;
    await memory.reportOf(['/repo/w/src/deep', '/repo/w/src', '/repo/w/node_modules/p']);
    expect(files.stats).toBe(before);
  });

  test('that the system prompt imports already is not told again', async () => {
    const memory = await begin(new MemoryFileSystem({ ...tree, '/repo/w/GEMINI.md': '@src/GEMINI.md' }));
    expect(await memory.reportOf(['/repo/w/src'])).toBe('');
  });

  test('is told again when the history lost it', async () => {
    const memory = await begin(new MemoryFileSystem(tree));
    const first = await memory.reportOf(['/repo/w/src']);
    memory.forget();
    expect(await memory.reportOf(['/repo/w/src'])).toBe(first);
  });

  test('that is written in between counts from the next prompt on', async () => {
    const files = new MemoryFileSystem(tree);
    const memory = await begin(files);
    await memory.reportOf(['/repo/w/lib']);
    await files.writeText('/repo/w/lib/AGENTS.md', 'lib', { encoding: 'utf8', bom: false });
    await memory.read();
    expect(await memory.reportOf(['/repo/w/lib'])).toContain('lib');
  });

  test('of very many folders comes bit by bit', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `/repo/w/d${n}`);
    const big = Object.fromEntries(names.map(name => [`${name}/GEMINI.md`, 'x'.repeat(15_000)]));
    const memory = await begin(new MemoryFileSystem({ ...tree, ...big }));
    const first = await memory.reportOf(names);
    expect(first.length).toBeLessThan(64_000);
    let reported = first;
    for (let text = first; text !== ''; reported += text) text = await memory.reportOf(names);
    expect(reported.match(/<\/memory>/g)).toHaveLength(names.length);
  });

  test('that cannot be used is told to the user with the next prompt', async () => {
    const files = new MemoryFileSystem({ ...tree, '/etc/passwd': 'x' });
    files.symlink('/etc/passwd', '/repo/w/lib/AGENTS.md');
    const memory = await begin(files);
    expect(await memory.reportOf(['/repo/w/lib'])).toBe('');
    expect((await memory.read()).problems).toEqual([
      'The memory file /repo/w/lib/AGENTS.md is ignored: it is a link that leads out of the project.',
    ]);
  });

  test('is shown to the user beside the rest', async () => {
    const memory = await begin(new MemoryFileSystem(tree));
    await memory.reportOf(['/repo/w/src/deep']);
    const shown = describeMemory(await memory.read(), memory.ofFolders);
    expect(shown.match(/^## .*/gm)).toEqual([
      '## /repo/GEMINI.md',
      '## /repo/w/GEMINI.md',
      '## /repo/w/src/GEMINI.md',
      '## /repo/w/src/deep/AGENTS.md',
    ]);
    expect(shown).toContain('4 files');
    expect(describeMemory({ blocks: [], problems: [], loaded: new Set(), whole: new Map() }, [])).toContain(
      'No memory files',
    );
  });
});
