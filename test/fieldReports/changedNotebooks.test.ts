import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { type Answer, call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const cellOf = (source: string, id?: string) => ({
  cell_type: 'markdown',
  ...(id ? { id } : {}),
  metadata: {},
  source: [source],
});

function notebook(sources: readonly string[], withIds: boolean): string {
  const cells = sources.map(source => cellOf(source, withIds ? `id-${source}` : undefined));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: withIds ? 5 : 4 }, null, 1);
}

describe.each([true, false])('a notebook whose cells moved since it was read, with ids: %s,', withIds => {
  const world = eachTest(() => HeadlessWorld.make());
  let path: string;
  beforeEach(async () => {
    path = join(world.workspace, 'n.ipynb');
    await writeFile(path, notebook(['one', 'two', 'three'], withIds));
  });

  async function edit(now: readonly string[], ...operations: readonly object[]) {
    const change = call('edit_notebook', { file_path: 'n.ipynb', operations });
    const meanwhile = async (): Promise<Answer> => {
      await writeFile(path, notebook(now, withIds));
      return [change];
    };
    world.server.script([call('read_file', { file_path: 'n.ipynb' })], meanwhile, [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    const [result] = lastResults(world.server.requests.at(-1)!);
    const { cells } = JSON.parse(await readFile(path, 'utf8'));
    return { result, sources: cells.map(({ source }: { source: unknown }) => [source].flat().join('')) };
  }

  it.each([
    { op: 'delete', cell: 2 },
    { op: 'edit', cell: 2, new_string: 'TWO' },
    { op: 'move', cell: 3, after: 1 },
    { op: 'insert', after: 2, kind: 'raw', new_string: 'x' },
    { op: 'kind', cell: 2, kind: 'raw' },
  ])('is not changed by a stale number: $op', async operation => {
    const now = ['zero', 'one', 'two', 'three'];
    const { result, sources } = await edit(now, operation);
    expect(sources).toEqual(now);
    expect(result?.error).toMatch(/is another now[\s\S]*1 markdown.*: zero\n2 markdown.*: one/);
  });

  it.runIf(withIds)('is changed by the id of a cell that moved, and refuses one that is gone', async () => {
    const operations = [
      { op: 'delete', cell_id: 'id-two' },
      { op: 'move', cell_id: 'id-three', after_id: 'id-zero' },
    ];
    const moved = await edit(['zero', 'one', 'two', 'three'], ...operations);
    expect(moved.result?.error).toBeUndefined();
    expect(moved.sources).toEqual(['zero', 'three', 'one']);
    const gone = await edit(['zero', 'one'], { op: 'delete', cell_id: 'id-two' });
    expect(gone.result?.error).toMatch(/No cell has the id id-two[\s\S]*1 markdown \(id id-zero\): zero/);
    expect(gone.sources).toEqual(['zero', 'one']);
  });

  it.runIf(withIds)('is not shown by the refusal of an id where it was not read', async () => {
    const change = call('edit_notebook', {
      file_path: 'n.ipynb',
      operations: [{ op: 'delete', cell_id: 'x' }],
    });
    world.server.script([change], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--approval-mode', 'yolo']);
    expect(code, error).toBe(0);
    const [result] = lastResults(world.server.requests.at(-1)!);
    expect(result?.error).toMatch(/No cell has the id x\. Nothing was changed\. Read the notebook first\.$/);
  });

  it.each([
    { op: 'delete', cell: 2 },
    { op: 'insert', after: 1, kind: 'raw', new_string: 'x' },
  ])('is not changed by a number where it was not read: $op', async operation => {
    const change = call('edit_notebook', { file_path: 'n.ipynb', operations: [operation] });
    world.server.script([change], [text('Done.')]);
    await world.run(['--prompt', 'go', '--approval-mode', 'yolo']);
    const [result] = lastResults(world.server.requests.at(-1)!);
    expect(result?.error).toMatch(/have not read this notebook[^:]*Read it first\.$/);
    expect(await readFile(path, 'utf8')).toBe(notebook(['one', 'two', 'three'], withIds));
  });

  it.runIf(withIds)('is not changed where an id and a number name two cells', async () => {
    const now = ['one', 'two', 'three'];
    const { result, sources } = await edit(now, { op: 'delete', cell_id: 'id-two', cell: 3 });
    expect(result?.error).toMatch(/id id-two is that of cell 2, and not of cell 3/);
    expect(sources).toEqual(now);
    expect((await edit(now, { op: 'delete', cell_id: 'id-two', cell: 2 })).sources).toEqual(['one', 'three']);
  });

  it('is changed where the cell is the one that was read', async () => {
    const { sources } = await edit(['one', 'two', 'three', 'four'], { op: 'delete', cell: 2 });
    expect(sources).toEqual(['one', 'three', 'four']);
  });
});
