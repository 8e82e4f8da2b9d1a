import { describe, expect, test } from 'vitest';
import {
  readPromptFile,
  resolvePromptVariable,
  type SystemPromptRoots,
  writePromptFile,
} from '../../../src/extension/core/prompt/promptFile.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const place: SystemPromptRoots = { folder: '/project', home: '/home/ada', trusted: true };
const files = new MemoryFileSystem();

const find = (value: string | undefined, where = place, on = files) =>
  resolvePromptVariable(on, 'GEMINI_SYSTEM_MD', value, where);

describe('finding the prompt file', () => {
  test('nothing, 0 and false name none', async () => {
    for (const value of [undefined, '', ' ', '0', 'false', 'FALSE']) {
      expect(await find(value)).toEqual({ kind: 'none' });
    }
  });

  test('1 and true name the file of the workspace', async () => {
    for (const value of ['1', 'true', 'True']) {
      expect(await find(value)).toEqual({ kind: 'file', path: '/project/.gemini/system.md' });
    }
  });

  test.each([
    { there: [], trusted: true, found: '/project/.gemini/system.md' },
    { there: ['/home/ada'], trusted: true, found: '/home/ada/.gemini/system.md' },
    { there: ['/home/ada', '/project'], trusted: true, found: '/project/.gemini/system.md' },
    { there: ['/home/ada', '/project'], trusted: false, found: '/home/ada/.gemini/system.md' },
  ])('with $there, trusted $trusted, true names $found', async ({ there, trusted, found }) => {
    const some = new MemoryFileSystem(
      Object.fromEntries(there.map(folder => [`${folder}/.gemini/system.md`, 'x'])),
    );
    expect(await find('true', { ...place, trusted }, some)).toEqual({ kind: 'file', path: found });
  });

  test('a path names that file, relative to the workspace or to the home folder', async () => {
    expect(await find('/etc/prompt.md')).toEqual({ kind: 'file', path: '/etc/prompt.md' });
    expect(await find('prompts/a.md')).toEqual({ kind: 'file', path: '/project/prompts/a.md' });
    expect(await find('~/a.md')).toEqual({ kind: 'file', path: '/home/ada/a.md' });
  });

  test('an untrusted workspace supplies none, by whichever name it is reached', async () => {
    const linked = new MemoryFileSystem({ '/project/evil.md': 'x' });
    linked.symlink('/project/evil.md', '/home/ada/prompt.md');
    const untrusted = { ...place, trusted: false };
    for (const value of ['1', '/project/a.md', '/home/../project/a.md', '/home/ada/prompt.md']) {
      expect(await find(value, untrusted, linked), value).toMatchObject({ kind: 'refused' });
    }
    expect(await find('/home/ada/own.md', untrusted)).toEqual({ kind: 'file', path: '/home/ada/own.md' });
  });

  test('a file of the workspace is refused when no folder is open', async () => {
    const nowhere = { ...place, folder: undefined };
    expect(await find('1', nowhere)).toEqual({ kind: 'file', path: '/home/ada/.gemini/system.md' });
    expect(await find('a.md', nowhere)).toMatchObject({ kind: 'refused' });
    expect(await find('/etc/a.md', nowhere)).toEqual({ kind: 'file', path: '/etc/a.md' });
  });
});

describe('reading and writing it', () => {
  test('a missing file is named, with what to do', async () => {
    await expect(readPromptFile(files, '/project/none.md')).rejects.toThrow(
      'The system prompt file /project/none.md does not exist. Create it, or unset GEMINI_SYSTEM_MD.',
    );
  });

  test('an empty file is an error, not an empty prompt', async () => {
    const empty = new MemoryFileSystem({ '/project/a.md': ' \n' });
    await expect(readPromptFile(empty, '/project/a.md')).rejects.toThrow('is empty');
  });

  test('what was written is what is read', async () => {
    const some = new MemoryFileSystem();
    await writePromptFile(some, '/project/.gemini/system.md', 'Be brief.');
    expect(await readPromptFile(some, '/project/.gemini/system.md')).toBe('Be brief.\n');
  });

  test('a file that cannot be written is named', async () => {
    const full = new MemoryFileSystem();
    full.failNextWrite = 'noSpace';
    await expect(writePromptFile(full, '/project/p.md', 'x')).rejects.toThrow(
      /^The system prompt could not be written to \/project\/p\.md/,
    );
  });
});
