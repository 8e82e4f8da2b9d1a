import { beforeEach, describe, expect, test } from 'vitest';
import { ChangeTracker } from '../../../src/extension/core/changes/changeTracker.ts';
import { ConcurrentRuns } from '../../../src/extension/core/changes/concurrentRuns.ts';
import { readCell, splitNotebook } from '../../../src/extension/notebooks/notebook.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { writerNames } from '../../../src/protocol/changes.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { NotebookEditor } from '../../support/notebookEditor.ts';
import { notebookSamples } from '../../support/notebookSamples.ts';

const path = '/w/tides.ipynb';
const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;
const log = { debug() {}, info() {}, warn() {}, error() {} };

describe('a change of the agent that the editor of a notebook took and could not save', () => {
  let files: NotebookEditor;
  let changes: ChangeTracker;
  let events: SessionEvent[];
  const sources = async () =>
    splitNotebook((await files.readText(path)).text)!.cells.map(cell => readCell(cell).source);
  const saved = async () => Buffer.from(await files.readSaved(path)).toString();

  beforeEach(async () => {
    files = new NotebookEditor();
    events = [];
    const emit = (body: SessionEventBody) => {
      const event: SessionEvent = { ...body, seq: events.length + 1, at: 0 };
      events.push(event);
      changes.fold(event);
    };
    changes = new ChangeTracker({
      folders: ['/w'],
      files,
      blobs: new MemoryBlobStore(),
      versionControl: new FakeVersionControl(),
      clock: new ManualClock(),
      log,
      concurrentRuns: new ConcurrentRuns().beside(),
      emit,
      recorded: async () => {},
      chapterId: () => 'chapter',
    });
    await files.writeText(path, sample, utf8Format);
    await files.openNotebook(path);
    await files.type(path, 0, 'Mine. ');
    files.failsNextSave = true;
    const { text } = await files.readText(path);
    const agent = changes.filesOf({ kind: 'call', callId: 'c1', words: 'Edit tides.ipynb' }, 'unseen');
    const wanted = text.replace('tides.read()', 'tides.load()');
    await expect(agent.writeText(path, wanted, utf8Format, text)).rejects.toMatchObject({ kind: 'unsaved' });
  });

  test('waits for review in the agent’s name, and goes back without what was typed', async () => {
    expect(await saved()).toBe(sample);
    const hunks = changes.ledger.review(path)!.hunks;
    expect(hunks.map(hunk => [writerNames(hunk), hunk.touched])).toEqual([[['Edit tides.ipynb'], false]]);
    expect(await changes.ledger.reject({})).toEqual([]);
    const [first, second] = await sources();
    expect(first).toMatch(/^Mine\. /);
    expect(second).toContain('tides.read()');
    expect(await saved()).toBe((await files.readText(path)).text);
  });

  test('is put back by going back, which keeps what was typed', async () => {
    const results = await changes.restorer.restore({ from: 0, reviews: [] });
    expect(results).toMatchObject([{ path: 'tides.ipynb', result: 'merged' }]);
    const [first, second] = await sources();
    expect(first).toMatch(/^Mine\. /);
    expect(second).toContain('tides.read()');
    expect(changes.ledger.paths).toEqual([]);
  });
});
