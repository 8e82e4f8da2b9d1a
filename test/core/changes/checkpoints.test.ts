import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PathState } from '../../../src/extension/core/changes/checkpoints.ts';
import { checkpointFileLimit } from '../../../src/extension/core/changes/checkpoints.ts';
import { FileError } from '../../../src/extension/platform/fileSystem.ts';
import { CheckpointedFolder } from '../../support/checkpointedFolder.ts';
import { eachTest } from '../../support/eachTest.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';

describe('checkpoints', () => {
  const folder = eachTest(() => CheckpointedFolder.make(new FakeVersionControl()));

  const taken = () => folder.events.filter(event => event.type === 'checkpoint.taken').length;
  const contentOf = async (kept: PathState | undefined) =>
    kept?.name ? Buffer.from((await folder.blobs.get(kept.name))!).toString() : kept?.name;

  test('a file is kept as it was before the first write of a turn', async () => {
    await writeFile(folder.path('a.txt'), 'one');
    const place = folder.beginTurn();
    await folder.agentWrites('a.txt', 'two');
    await folder.agentWrites('a.txt', 'three');
    const [written] = folder.written(place);
    expect(await contentOf(written?.before)).toBe('one');
    expect(await contentOf(written?.after)).toBe('three');
    expect(written?.edits).toEqual([]);
    expect(taken()).toBe(1);
  });

  test('each turn and each chapter keeps it again', async () => {
    const places: number[] = [];
    for (const text of ['one', 'two', 'three']) {
      places.push(folder.beginTurn());
      await folder.agentWrites('a.txt', text);
    }
    const before = places.map(place => folder.written(place)[0]?.before);
    expect(await Promise.all(before.map(contentOf))).toEqual([null, 'one', 'two']);
    expect(taken()).toBe(3);
  });

  test('what others wrote between two writes is remembered as theirs, also within a turn', async () => {
    const place = folder.beginTurn();
    await folder.agentWrites('a.txt', 'agent');
    await writeFile(folder.path('a.txt'), 'person');
    await folder.agentWrites('a.txt', 'agent again');
    const [edit, ...more] = folder.written(place)[0]!.edits;
    expect(await contentOf(edit?.left)).toBe('agent');
    expect(await contentOf(edit?.found)).toBe('person');
    expect(more).toEqual([]);
  });

  test('only what lies between two places counts', async () => {
    const first = folder.beginTurn();
    await folder.agentWrites('a.txt', 'a1');
    const second = folder.beginTurn();
    await folder.agentWrites('b.txt', 'b1');
    const names = (from: number, to?: number) =>
      folder.checkpoints.writtenBetween(from, to).map(file => file.path);
    expect(names(first)).toEqual([folder.path('a.txt'), folder.path('b.txt')]);
    expect(names(first, second)).toEqual([folder.path('a.txt')]);
    expect(names(second)).toEqual([folder.path('b.txt')]);
    expect(names(folder.events.length)).toEqual([]);
  });

  test('folding the journal again knows the same', async () => {
    const place = folder.beginTurn();
    await folder.agentWrites('a.txt', 'one');
    await writeFile(folder.path('a.txt'), 'person');
    folder.beginTurn();
    await folder.agentWrites('a.txt', 'two');
    const resumed = await CheckpointedFolder.make(new FakeVersionControl());
    onTestFinished(() => resumed.dispose());
    for (const event of folder.events) resumed.checkpoints.fold(event);
    expect(resumed.written(place)).toEqual(folder.written(place));
  });

  test('a write that was interrupted before it was recorded is neither claimed nor undone', async () => {
    await writeFile(folder.path('a.txt'), 'before');
    const place = folder.beginTurn();
    await folder.checkpoints.keep(folder.path('a.txt'));
    await writeFile(folder.path('a.txt'), 'half done');
    await folder.checkpoints.closeOpen();
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'conflict' });
    expect(await readFile(folder.path('a.txt'), 'utf8')).toBe('half done');
  });

  test('a file that is too large to be kept is not written', async () => {
    await writeFile(folder.path('large.bin'), '');
    await truncate(folder.path('large.bin'), checkpointFileLimit + 1);
    const place = folder.beginTurn();
    await expect(folder.agentWrites('large.bin', 'x')).rejects.toThrow(FileError);
    expect((await folder.files.stat(folder.path('large.bin')))?.size).toBe(checkpointFileLimit + 1);
    expect(folder.written(place)).toEqual([]);
  });

  test('a large file within the limit comes back whole', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'line of text\n');
    await writeFile(folder.path('large.txt'), large);
    const place = folder.beginTurn();
    await folder.agentWrites('large.txt', 'short');
    expect(await folder.restoreTo(place)).toEqual({ 'large.txt': 'restored' });
    expect((await readFile(folder.path('large.txt'))).equals(large)).toBe(true);
  });

  test('going back keeps what it takes away, so it can be undone', async () => {
    await writeFile(folder.path('a.txt'), 'one\n');
    const first = folder.beginTurn();
    await folder.agentWrites('a.txt', 'two\n');
    await folder.agentWrites('new.txt', 'new\n');
    const beforeRewind = await folder.tree();
    const rewind = folder.events.length;
    expect(await folder.restoreTo(first)).toEqual({ 'a.txt': 'restored', 'new.txt': 'deleted' });
    expect(await folder.restoreTo(rewind)).toEqual({ 'a.txt': 'restored', 'new.txt': 'created' });
    expect(await folder.tree()).toEqual(beforeRewind);
  });

  test('a path that became a folder is refused', async () => {
    folder.beginTurn();
    await folder.agentWrites('a/inner.txt', 'x');
    await expect(folder.checkpoints.keep(folder.path('a'))).rejects.toThrow(FileError);
    await rm(folder.path('a'), { recursive: true });
    await folder.checkpoints.keep(folder.path('a'));
  });
});
