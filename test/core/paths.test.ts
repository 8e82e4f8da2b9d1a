import { describe, expect, it } from 'vitest';
import { folderContains } from '../../src/extension/core/folderPaths.ts';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';

function paths(readable: readonly string[] = []): WorkspacePaths {
  return new WorkspacePaths(new MemoryFileSystem(), ['/one', '/two'], () => readable);
}

describe('the gate for paths', () => {
  it('takes paths relative to the first folder and absolute ones in any', async () => {
    expect(await paths().resolve('src/a.ts', 'write')).toBe('/one/src/a.ts');
    expect(await paths().resolve('/two/b.ts', 'write')).toBe('/two/b.ts');
  });

  it.each([
    '../x',
    '/onemore/x',
    '/',
    '/one/../x',
    '',
    ' ',
    'a\0b',
    '~',
    '~/x',
    '~bob/x',
    '\\\\host\\x',
    'C:\\x',
    '/dev/null',
  ])('refuses %j', async path => {
    await expect(paths().resolve(path, 'read')).rejects.toThrow();
  });

  it('opens the saved outputs for reading and not for writing', async () => {
    expect(await paths(['/saved']).resolve('/saved/o.txt', 'read')).toBe('/saved/o.txt');
    await expect(paths(['/saved']).resolve('/saved/o.txt', 'write')).rejects.toThrow('outside the workspace');
  });

  it('closes what is for git and what is for Folio alone, and says what a user must be asked about', async () => {
    const own = new WorkspacePaths(new MemoryFileSystem(), ['/one'], () => [], ['/one/state']);
    await expect(own.resolve('state/journal.jsonl', 'read')).rejects.toThrow('is closed');
    await expect(own.resolve('a/.git/config', 'write')).rejects.toThrow('Only git may change files in .git.');
    expect(await own.locate('.env', 'read')).toMatchObject({ protection: { kind: 'asks' } });
    expect(await own.locate('.env.example', 'read')).toEqual({ kind: 'inside', path: '/one/.env.example' });
    expect(await own.unprotected(['/one/a.ts', '/one/b/.env', '/one/id_rsa'])).toEqual(['/one/a.ts']);
  });

  it('keeps devices and the memory of processes closed where the root is the workspace', async () => {
    const root = new WorkspacePaths(new MemoryFileSystem(), ['/']);
    for (const path of ['/proc/self/environ', '/dev/sda', 'sys/x'])
      await expect(root.resolve(path, 'read')).rejects.toThrow('outside');
    expect(await root.resolve('home/a', 'read')).toBe('/home/a');
    const inMemory = new WorkspacePaths(new MemoryFileSystem(), ['/dev/shm/work']);
    expect(await inMemory.resolve('a.ts', 'write')).toBe('/dev/shm/work/a.ts');
    await expect(inMemory.resolve('../../sda', 'read')).rejects.toThrow('outside');
  });

  it('follows the name of a folder, unless the first folder has something of that name', async () => {
    const files = new MemoryFileSystem();
    await files.writeText('/one/docs/a.md', 'of one', { encoding: 'utf8', bom: false });
    const three = new WorkspacePaths(files, ['/one', '/two', '/x/docs']);
    expect(await three.resolve('two/src/b.ts', 'write')).toBe('/two/src/b.ts');
    expect(await three.resolve('./two', 'read')).toBe('/two');
    expect(await three.resolve('one/src/a.ts', 'read')).toBe('/one/src/a.ts');
    expect(await three.resolve('docs/a.md', 'read')).toBe('/one/docs/a.md');
    await expect(three.resolve('two/../../etc/passwd', 'read')).rejects.toThrow('outside');
    const alone = new WorkspacePaths(files, ['/two']);
    expect(await alone.resolve('two/src/b.ts', 'read')).toBe('/two/two/src/b.ts');
    const twins = new WorkspacePaths(files, ['/one', '/x/api', '/y/api']);
    expect(await twins.resolve('api/b.ts', 'read')).toBe('/one/api/b.ts');
  });

  it('shows a path as it can be given back', async () => {
    for (const path of ['/one/src/a.ts', '/one', '/two/b.ts']) {
      const shown = await paths().show(path);
      expect(await paths().resolve(shown, 'read')).toBe(path);
    }
    expect(await paths().show('/one/src/a.ts')).toBe('src/a.ts');
  });

  it('takes a name that begins with two dots for a name', () => {
    expect(folderContains('/one', '/one/..name')).toBe(true);
    expect(folderContains('/one', '/one/../two')).toBe(false);
  });
});
