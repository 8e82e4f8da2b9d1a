import { describe, expect, it } from 'vitest';
import { contains, WorkspacePaths } from '../../src/extension/core/paths.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';

function paths(readable: readonly string[] = []): WorkspacePaths {
  return new WorkspacePaths(new MemoryFileSystem(), ['/one', '/two'], () => readable);
}

describe('the gate for paths', () => {
  it('takes paths relative to the first folder and absolute ones in any', async () => {
    expect(await paths().resolve('src/a.ts', 'write')).toBe('/one/src/a.ts');
    expect(await paths().resolve('/two/b.ts', 'write')).toBe('/two/b.ts');
  });

  it.each(['../x', '/onemore/x', '/', '/one/../x', '', ' ', 'a\0b', '~', '~/x'])('refuses %j', async path => {
    await expect(paths().resolve(path, 'read')).rejects.toThrow();
  });

  it('opens the saved outputs for reading and not for writing', async () => {
    expect(await paths(['/saved']).resolve('/saved/o.txt', 'read')).toBe('/saved/o.txt');
    await expect(paths(['/saved']).resolve('/saved/o.txt', 'write')).rejects.toThrow('outside the workspace');
  });

  it('shows a path as it can be given back', async () => {
    for (const path of ['/one/src/a.ts', '/one', '/two/b.ts']) {
      const shown = await paths().show(path);
      expect(await paths().resolve(shown, 'read')).toBe(path);
    }
    expect(await paths().show('/one/src/a.ts')).toBe('src/a.ts');
  });

  it('takes a name that begins with two dots for a name', () => {
    expect(contains('/one', '/one/..name')).toBe(true);
    expect(contains('/one', '/one/../two')).toBe(false);
  });
});
