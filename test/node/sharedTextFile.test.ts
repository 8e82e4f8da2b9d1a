import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Inbox } from '../../src/extension/core/context/inbox/inbox.ts';
import { lockTimes } from '../../src/extension/node/files/fileLock.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import { SharedTextFile } from '../../src/extension/node/sessions/sharedTextFile.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('a text that windows share', () => {
  let folder: string;
  let root: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-shared-');
    root = join(folder, 'sessions');
  });

  const open = (workspace: string | undefined = '/work') =>
    new SharedTextFile(root, 'inbox', () => workspace);

  it('loses no change of several at once', async () => {
    const files = [open(), open(), open()];
    const changes = Array.from({ length: 30 }, (_, at) =>
      files[at % 3]!.change((text = '') => `${text}${at},`),
    );
    await Promise.all(changes);
    const numbers = (await open().read())!.split(',').filter(Boolean).map(Number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at));
    expect(await readdir(root)).toHaveLength(1);
    if (process.platform !== 'win32') {
      expect((await stat(open().path!)).mode & 0o777).toBe(0o600);
      expect((await stat(root)).mode & 0o777).toBe(0o700);
    }
  });

  it('is one for each folder, and none without a folder', async () => {
    await open('/one').change(() => 'first');
    expect(await open('/two').read()).toBeUndefined();
    const none = new SharedTextFile(root, 'inbox', () => undefined);
    await none.change(() => 'lost');
    expect(await none.read()).toBeUndefined();
    expect(await readdir(root)).toHaveLength(1);
  });

  it('stays as it was when the change throws or gives nothing', async () => {
    await open().change(() => 'kept');
    await expect(
      open().change(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await open().change(() => undefined);
    expect(await open().read()).toBe('kept');
  });

  it('says that another process holds it, and takes over from one that is gone', async () => {
    const file = new SharedTextFile(root, 'inbox', () => '/work', { ...lockTimes, timeoutMs: 0 });
    await file.change(() => 'first');
    const lock = `${file.path}.lock`;
    await writeFile(lock, `${process.pid} another-machine 00\n`);
    await expect(file.change(() => 'second')).rejects.toThrow('is being changed by another window');
    await rm(lock);
    await file.change(() => 'third');
    expect(await file.read()).toBe('third');
  });
});

describe('an inbox', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-inbox-');
  });

  const place = (more: object = {}) => ({
    home: join(folder, 'home', '.gemini'),
    names: ['GEMINI.md', 'AGENTS.md', 'CLAUDE.md'],
    folders: [folder],
    extra: [],
    trusted: true,
    ...more,
  });
  const open = (more: object = {}) =>
    new Inbox({
      file: new SharedTextFile(join(folder, 'sessions'), 'inbox', () => folder),
      files: new NodeFileSystem(),
      place: () => place(more),
    });
  const checked = { sessionId: 'a', session: 'Fix it', until: 5, at: 9 };
  const fact = (text: string) => ({ kind: 'fact', text, evidence: [] }) as const;
  const read = (...names: readonly string[]) =>
    new NodeFileSystem().readText(join(folder, ...names)).then(({ text }) => text);

  it('keeps a fact in the memory file that is there, in the words that were seen', async () => {
    await writeFile(join(folder, 'AGENTS.md'), '# Rules\n');
    await open().add([fact('Use tabs.')], checked);
    const decided = await open().accept(1, 'workspace', 'Use tabs in Go.');
    expect(decided).toMatchObject({ kind: 'done', path: join(folder, 'AGENTS.md') });
    expect(await read('AGENTS.md')).toBe('# Rules\n\n## Remembered by Folio\n\n- Use tabs in Go.\n');
    expect(await open().read()).toMatchObject({ entries: [], decided: ['Use tabs.'], seen: { a: 5 } });
  });

  it('ends what a kill between file and inbox left', async () => {
    await open().add([fact('Use tabs.')], checked);
    await writeFile(join(folder, 'GEMINI.md'), '## Remembered by Folio\n\n- Use tabs.\n');
    expect(await open().accept(1, 'workspace')).toMatchObject({ kind: 'done' });
    expect(await read('GEMINI.md')).toBe('## Remembered by Folio\n\n- Use tabs.\n');
    expect(await open().accept(1, 'workspace')).toMatchObject({ kind: 'refused' });
  });

  it('numbers entries once, whatever two windows decide', async () => {
    const [one, two] = [open(), open()];
    await Promise.all([one.add([fact('A.'), fact('B.')], checked), two.add([fact('C.')], checked)]);
    await two.drop(2);
    await one.add([fact('D.')], checked);
    expect((await open().list()).map(({ number }) => number)).toEqual([1, 3, 4]);
  });

  it('writes a skill into a folder of its own, and over none', async () => {
    const skill = {
      kind: 'skill',
      name: 'ship',
      description: 'Ships: "it"',
      text: '1. make',
      evidence: [],
    } as const;
    await open().add([skill, skill], checked);
    expect(await open().accept(1, 'workspace')).toMatchObject({ kind: 'done' });
    expect(await read('.gemini', 'skills', 'ship', 'SKILL.md')).toBe(
      '---\nname: "ship"\ndescription: "Ships: \\"it\\""\n---\n\n1. make\n',
    );
    expect(await open().accept(2, 'workspace')).toMatchObject({ kind: 'refused' });
    expect(await open().accept(2, 'user')).toMatchObject({ kind: 'done' });
    expect(await read('home', '.gemini', 'skills', 'ship', 'SKILL.md')).toContain('1. make');
  });

  it('writes nothing in a restricted workspace, and nothing that is empty', async () => {
    await open().add([fact('Use tabs.')], checked);
    expect(await open({ trusted: false }).accept(1, 'workspace')).toMatchObject({ kind: 'refused' });
    expect(await open().accept(1, 'workspace', ' \n ')).toMatchObject({ kind: 'refused' });
    expect(await open().list()).toHaveLength(1);
  });
});
