import { describe, expect, it } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { type CellChange, changeCells } from '../../../src/extension/notebooks/changeCells.ts';
import { joinNotebook, readCell, splitNotebook } from '../../../src/extension/notebooks/notebook.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import type { ReviewedFile } from '../../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { NotebookEditor } from '../../support/notebookEditor.ts';
import { notebookSamples } from '../../support/notebookSamples.ts';
import { schemaFaults } from '../../support/notebookSchema.ts';

const path = '/w/tides.ipynb';
const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

function change(text: string, ...changes: readonly CellChange[]): string {
  const result = changeCells(splitNotebook(text)!, changes, () => 'new-cell');
  if (!result.ok) throw new Error(result.why);
  return joinNotebook(result.notebook);
}

const sourcesOf = (text: string) => splitNotebook(text)!.cells.map(cell => readCell(cell).source);

const edit = (cell: number, source: string): CellChange => ({
  op: 'edit',
  cell,
  source: () => ({ text: source }),
});

async function writtenByAgent(after: string) {
  const files = new NotebookEditor();
  const blobs = new MemoryBlobStore();
  const events: SessionEventBody[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const parts = { files, blobs, clock: new ManualClock(), log, show: async (each: string) => each };
  const make = () => new ReviewLedger({ ...parts, emit: event => events.push(event) });
  await files.writeText(path, after, utf8Format);
  const ledger = make();
  ledger.agentWrote(path, sample, after, utf8Format, 'c1');
  await ledger.flush();
  const newest = () =>
    events.findLast(event => event.type === 'review.changed')?.review as ReviewedFile | undefined;
  const text = async () => {
    const { text: now } = await files.readText(path);
    expect(schemaFaults(now)).toEqual([]);
    return now;
  };
  return { files, ledger, make, newest, text };
}

/** The agent writes through an editor that has the notebook open, with something typed into its first cell. */
async function writtenInEditor(...changes: readonly CellChange[]) {
  const world = await writtenByAgent(sample);
  const { files, ledger } = world;
  await files.openNotebook(path);
  await files.type(path, 0, 'Mine. ');
  const { text: before } = await files.readText(path);
  const wanted = change(before, ...changes);
  await ledger.hold(path, async () => {
    await files.writeText(path, wanted, utf8Format, before);
    ledger.agentWrote(path, before, wanted, utf8Format, 'c1');
  });
  await ledger.flush();
  await ledger.catchUp(path);
  return world;
}

describe('the review of a notebook in a session', () => {
  it('tells the panel of cells, and a decision about one leaves the others', async () => {
    const { ledger, newest, text } = await writtenByAgent(change(sample, edit(2, 'x\n'), edit(4, 'y')));
    expect(newest()).toMatchObject({
      by: 'cells',
      hunks: [
        { cell: { place: 'Cell 2, python' }, lines: expect.arrayContaining([{ kind: 'added', text: 'x' }]) },
        { cell: { place: 'Cell 4, raw' } },
      ],
    });
    const [first, second] = newest()!.hunks;
    expect(await ledger.reject({ path, hunkId: first!.id })).toEqual([]);
    expect(await text()).toBe(change(sample, edit(4, 'y')));
    expect(await ledger.bringBack(path, first!.id)).toEqual([]);
    ledger.accept({ path, hunkId: second!.id });
    expect(await ledger.reject({ path })).toEqual([]);
    expect(await text()).toBe(change(sample, edit(4, 'y')));
  });

  it('continues after a reload, and what was rejected is over', async () => {
    const { ledger, make, newest, text } = await writtenByAgent(
      change(
        sample,
        edit(1, 'x'),
        { op: 'delete', cell: 3 },
        { op: 'insert', after: 6, kind: 'code', source: 'z' },
      ),
    );
    const [first, , last] = newest()!.hunks;
    await ledger.reject({ path, hunkId: last!.id });
    await ledger.flush();
    const again = make();
    await again.restore([newest()!]);
    await again.flush();
    expect(newest()!.hunks.map(({ status }) => status)).toEqual(['pending', 'pending']);
    expect(await again.reject({ path, hunkId: first!.id })).toEqual([]);
    expect(await text()).not.toContain('"z"');
    expect(await again.reject({ path })).toEqual([]);
    expect(await text()).toBe(sample);
  });

  it('writes nothing that would leave a cell twice, once the user has put it elsewhere', async () => {
    const { files, ledger, newest, text } = await writtenByAgent(change(sample, { op: 'delete', cell: 1 }));
    const [hunk] = newest()!.hunks;
    const present = splitNotebook(await text())!;
    const own = splitNotebook(sample)!.cells[0]!;
    const pasted = joinNotebook({ ...present, cells: [...present.cells, own] });
    await files.writeText(path, pasted, utf8Format);
    const [problem] = await ledger.reject({ path, hunkId: hunk!.id });
    expect(problem?.message).toMatch(/Nothing was written.*is that of another cell/);
    expect(await text()).toBe(pasted);
  });

  it('knows that a change is rejected, or back, where the editor took that and could not save it', async () => {
    const { files, ledger, text } = await writtenInEditor(edit(2, 'x'), edit(4, 'y'));
    const failed = [{ kind: 'failed', message: expect.stringContaining('was not saved') }];
    const stateOf = () => ledger.review(path)!.hunks.map(({ status, touched }) => [status, touched]);
    files.failsNextSave = true;
    expect(await ledger.reject({ path })).toMatchObject(failed);
    expect(stateOf()).toEqual([
      ['rejected', false],
      ['rejected', false],
    ]);
    expect(sourcesOf(await text()).slice(1)).toEqual(sourcesOf(sample).slice(1));
    const [first] = ledger.review(path)!.hunks;
    files.failsNextSave = true;
    expect(await ledger.bringBack(path, first!.id)).toMatchObject(failed);
    expect(stateOf()).toEqual([
      ['pending', false],
      ['rejected', false],
    ]);
    expect(sourcesOf(await text())[1]).toBe('x');
    expect(await ledger.reject({ path })).toEqual([]);
    expect(sourcesOf(await text()).slice(1)).toEqual(sourcesOf(sample).slice(1));
    expect(Buffer.from(await files.readSaved(path)).toString()).toBe(await text());
  });

  it('does not take what an editor adds to cells for typing', async () => {
    const { files, ledger, text } = await writtenInEditor(edit(2, 'x'), edit(4, 'y'));
    const hunks = () => ledger.review(path)!.hunks;
    expect(hunks().map(({ touched }) => touched)).toEqual([false, false]);
    // At once, before the new writing of the cells is in the journal.
    expect(await ledger.reject({ path, paths: [path] })).toEqual([]);
    expect(hunks().map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sourcesOf(await text())).toEqual([
      'Mine. # Tides\n\nOf the *harbour*.',
      ...sourcesOf(sample).slice(1),
    ]);
    // The editor may tell of its marks later than of the cells.
    await files.openNotebook(path);
    await ledger.catchUp(path);
    expect(await ledger.bringBack(path, hunks()[0]!.id)).toEqual([]);
    expect(sourcesOf(await text())[1]).toBe('x');
  });

  it('that an earlier version recorded by lines continues by lines', async () => {
    const after = change(sample, edit(4, 'y'));
    const { make, newest, text } = await writtenByAgent(after);
    const { by: _by, hunks, ...described } = newest()!;
    const line = sample.split('\n').findIndex(each => each.includes('as it is'));
    const place = { baseStart: line, start: line, baseCount: 1, count: 1 };
    const again = make();
    await again.restore([{ ...described, hunks: [{ ...hunks[0]!, ...place }] }]);
    expect(await again.reject({ path })).toEqual([]);
    expect(await text()).toBe(sample);
  });
});
