import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { applyRestoration, planRestoration } from '../../../src/extension/core/changes/restoreFile.ts';
import { FileError } from '../../../src/extension/platform/fileSystem.ts';
import { CheckpointedFolder } from '../../support/checkpointedFolder.ts';
import { eachTest } from '../../support/eachTest.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const bom = (text: string) => Buffer.from(`\ufeff${text}`);

describe('putting a file back', () => {
  const folder = eachTest(() => CheckpointedFolder.make(new FakeVersionControl()));

  const read = (name = 'a.txt') => readFile(folder.path(name));
  const write = (content: string | Uint8Array, name = 'a.txt') => writeFile(folder.path(name), content);
  /** The user's file, the agent's writing, and the user's again. */
  const play = async (...contents: readonly (string | Uint8Array | null)[]) => {
    const [first, ...rest] = contents;
    if (first !== null && first !== undefined) await write(first);
    const place = folder.beginTurn();
    for (const [i, content] of rest.entries()) {
      if (i % 2 === 0) await folder.agentWrites('a.txt', content);
      else if (content === null) await rm(folder.path('a.txt'));
      else await write(content);
    }
    return place;
  };

  test.each<[string, Uint8Array]>([
    ['CRLF', Buffer.from('a\r\nb\r\n')],
    ['mixed line endings', Buffer.from('a\r\nb\nc\rd')],
    ['a byte-order mark', bom('a\nb\n')],
    ['UTF-16', utf16('a\r\nb\r\n')],
    ['no final line break', Buffer.from('a\nb')],
    ['nothing in it', Buffer.from('')],
    ['binary content', Buffer.from([0, 1, 2, 255, 254, 13, 10, 0])],
    ['broken UTF-8', Buffer.from([65, 0xc3, 10, 0xff])],
  ])('a file with %s comes back byte for byte', async (_name, bytes) => {
    const place = await play(bytes, 'the agent\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'restored' });
    expect((await read()).equals(bytes)).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('the mode of a file stays', async () => {
    await write('#!/bin/sh\n');
    await chmod(folder.path('a.txt'), 0o755);
    const place = folder.beginTurn();
    await folder.agentWrites('a.txt', '#!/bin/bash\n');
    await folder.restoreTo(place);
    expect((await stat(folder.path('a.txt'))).mode & 0o777).toBe(0o755);
  });

  test('a created file is deleted, a deleted one is created', async () => {
    await write('old', 'old.txt');
    const place = folder.beginTurn();
    await folder.agentWrites('new.txt', 'new');
    await folder.agentWrites('old.txt', null);
    expect(await folder.restoreTo(place)).toEqual({ 'new.txt': 'deleted', 'old.txt': 'created' });
    expect(Object.keys(await folder.tree())).toEqual(['old.txt']);
  });

  test('a deleted file comes back though its folder is gone', async () => {
    await mkdir(folder.path('deep/er'), { recursive: true });
    await write('x', 'deep/er/a.txt');
    const place = folder.beginTurn();
    await folder.agentWrites('deep/er/a.txt', null);
    await rm(folder.path('deep'), { recursive: true });
    expect(await folder.restoreTo(place)).toEqual({ 'deep/er/a.txt': 'created' });
  });

  test('a file that is as it was already is not touched', async () => {
    const place = await play('one', 'two', 'one');
    expect(await folder.restoreTo(place)).toEqual({});
  });

  test("the user's later edits elsewhere in the file stay", async () => {
    const place = await play('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nd\nperson\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'merged' });
    expect((await read()).toString()).toBe('a\nb\nc\nd\nperson\n');
  });

  test('what the user wrote between two writes of the agent stays', async () => {
    const place = await play('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'A\nb\nc\nd\nperson\n', 'A\nB\nc\nd\nperson\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'merged' });
    expect((await read()).toString()).toBe('a\nb\nc\nd\nperson\n');
  });

  test('it stays over turns, and each place gives back its own', async () => {
    const first = await play('a\nb\nc\n', 'A\nb\nc\n', 'A\nb\nc\nperson 1\n');
    const second = folder.beginTurn();
    await folder.agentWrites('a.txt', 'A\nB\nc\nperson 1\n');
    await write('A\nB\nc\nperson 1\nperson 2\n');
    expect(await folder.restoreTo(second)).toEqual({ 'a.txt': 'merged' });
    expect((await read()).toString()).toBe('A\nb\nc\nperson 1\nperson 2\n');
    expect(await folder.restoreTo(first)).toEqual({ 'a.txt': 'merged' });
    expect((await read()).toString()).toBe('a\nb\nc\nperson 1\nperson 2\n');
  });

  test('a merge keeps byte-order mark, encoding and line endings', async () => {
    for (const encode of [bom, utf16]) {
      const [one, two, three] = ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\nd'].map(encode);
      const place = await play(one!, two!, three!);
      expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'merged' });
      expect((await read()).equals(encode('a\r\nb\r\nc\r\nd'))).toBe(true);
    }
  });

  test('a merge undoes the encoding that the agent changed', async () => {
    const place = await play(utf16('a\nb\nc\n'), 'A\nb\nc\n', 'A\nb\nc\nd\n');
    await folder.restoreTo(place);
    expect((await read()).equals(utf16('a\nb\nc\nd\n'))).toBe(true);
  });

  test.each<[string, readonly (string | Uint8Array | null)[]]>([
    ['the user wrote into what the agent wrote', ['a\nb\nc\n', 'a\nB\nc\n', 'a\nB user\nc\n']],
    [
      'the user did so and the agent continued',
      ['a\nb\nc\n', 'a\nB\nc\n', 'a\nB user\nc\n', 'A\nB user\nc\n'],
    ],
    ['the user wrote into a file that the agent created', [null, 'a\nb\n', 'a\nperson\n']],
    ['the user deleted the file', ['a', 'b', null]],
    ['the user created a file that the agent had deleted', ['a', null, 'person']],
    ['the content is binary', [Buffer.from([0, 1]), Buffer.from([0, 2]), Buffer.from([0, 3])]],
    ['two last lines would run into one', ['a\nb\nc', 'a\nb\n', 'a\nb\nperson\n']],
  ])('it is left as it is when %s', async (_name, contents) => {
    const place = await play(...contents);
    const before = await folder.tree();
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'conflict' });
    expect(await folder.tree()).toEqual(before);
  });

  test('edits of the user that were over before are no conflict', async () => {
    const place = await play('a\n', 'b\n', 'b user\n', 'c\n', 'a\n', 'd\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'restored' });
    expect((await read()).toString()).toBe('a\n');
  });

  test('content that is no longer kept is said, and the file is left as it is', async () => {
    const place = await play('one', 'two');
    folder.blobs.kept.delete(folder.written(place)[0]!.before.name!);
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'lost' });
    expect((await read()).toString()).toBe('two');
  });

  test('without the text that Folio left nothing is merged, but an untouched file comes back', async () => {
    const place = await play('one\n', 'two\n');
    folder.blobs.kept.delete(folder.written(place)[0]!.after.name!);
    await write('two\nperson\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'conflict' });
    await write('two\n');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'restored' });
  });

  test('a folder in the place of a file is left as it is and keeps no other back', async () => {
    await write('b', 'b.txt');
    const place = await play('a', 'agent');
    await folder.agentWrites('b.txt', 'agent');
    await rm(folder.path('a.txt'));
    await mkdir(folder.path('a.txt'));
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'conflict', 'b.txt': 'restored' });
  });

  test.each([
    ['restored', ['one\n', 'two\n']],
    ['merged', ['a\nb\nc\n', 'A\nb\nc\n', 'A\nb\nc\nd\n']],
    ['deleted', [null, 'two\n']],
    ['created', ['one\n', null]],
  ])('a file that changes between plan and write is not %s', async (_result, contents) => {
    const place = await play(...contents);
    const plan = await planRestoration(folder.written(place)[0]!, folder);
    await write('just now');
    await expect(applyRestoration(folder.path('a.txt'), plan, folder.files)).rejects.toThrow(FileError);
    expect((await read()).toString()).toBe('just now');
  });

  test('a plan writes nothing and counts the lines that will come and go', async () => {
    const place = await play('a\nb\nc\n', 'a\nx\ny\nc\n', 'a\nx\ny\nc\nperson\n');
    const before = await folder.tree();
    const plan = await planRestoration(folder.written(place)[0]!, folder);
    expect(plan).toMatchObject({ kind: 'text', counts: { added: 1, removed: 2 } });
    expect(await folder.tree()).toEqual(before);
  });

  test("whatever the order of writing, what the agent wrote goes and the user's own lines stay", async () => {
    // The agent changes the case of lines, the user adds lines of their own at the ends of the file.
    const step = fc.record({
      by: fc.constantFrom('agent', 'person'),
      line: fc.nat({ max: 5 }),
      turn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async steps => {
        const middle = ['a', 'b', 'c', 'd', 'e', 'f'];
        const [head, tail]: string[][] = [[], []];
        const text = () => [...head!, 'top', ...middle, 'end', ...tail!].map(line => `${line}\n`).join('');
        await write(text());
        const place = folder.beginTurn();
        for (const [i, { by, line, turn }] of steps.entries()) {
          if (turn) folder.beginTurn();
          if (by === 'agent') middle[line] = `${middle[line]!.toUpperCase()} ${i}`;
          else if (line % 2 === 0) head!.unshift(`user ${i}`);
          else tail!.push(`user ${i}`);
          if (by === 'agent') await folder.agentWrites('a.txt', text());
          else await write(text());
        }
        await folder.restoreTo(place);
        const wanted = [...head!, 'top', 'a', 'b', 'c', 'd', 'e', 'f', 'end', ...tail!];
        expect((await read()).toString()).toBe(wanted.map(line => `${line}\n`).join(''));
      }),
      { numRuns: runSize({ test: 8, prove: 1000 }) },
    );
  });
});
