import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JournalRecorder } from '../../../src/extension/core/recording/recorder.ts';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('a recorded session', () => {
  let root: string;
  let store: NodeSessionStore;
  let recorder: JournalRecorder;
  let seq: number;
  let problems: string[];

  beforeEach(async () => {
    root = join(await temporaryFolder('folio-recorder-'), 'sessions');
    store = new NodeSessionStore(root);
    recorder = new JournalRecorder({
      open: () => store.openJournal('s1'),
      notify: text => problems.push(text),
    });
    seq = 0;
    problems = [];
  });

  afterEach(async () => {
    expect(problems).toEqual([]);
  });

  function record(body: SessionEventBody): void {
    seq++;
    recorder.record({ ...body, seq, at: seq } satisfies SessionEvent);
  }

  function begin(text: string): void {
    record({ type: 'session.started', sessionId: 's1', folders: ['/w'], model: 'm', mode: 'default' });
    record({ type: 'turn.started', turnId: 't1', text, attachments: [] });
    record({ type: 'message.added', message: { role: 'user', parts: [{ kind: 'text', text }] } });
    record({ type: 'step.started', stepId: 'p1', number: 1, model: 'm' });
  }

  test.each(Object.entries(secrets))(
    'keeps %s from the disk, and comes back masked',
    async (_name, { text, hidden }) => {
      begin(`Use this:\n${text}\n`);
      await recorder.begin();
      for (const letter of `You gave me\n${text}\n`)
        record({ type: 'text.appended', stepId: 'p1', text: letter });
      await recorder.flush();
      record({ type: 'step.ended', stepId: 'p1', finish: 'STOP', citations: [] });
      record({ type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } });
      await recorder.close();
      await store.saveOutput('s1', 'shell.txt', `printed\n${text}\n`);
      for (const file of await filesBelow(root)) expect(await readFile(file, 'utf8')).not.toContain(hidden);
      const restored = restoreSession(await store.readJournal('s1'));
      expect(restored).toMatchObject({ unreadable: 0, closing: [] });
      expect(JSON.stringify(restored.state)).toContain('[masked]');
      expect(JSON.stringify(restored.state)).toContain('You gave me');
    },
  );

  test('after a crash all but the line that was being written is there', async () => {
    begin('Continue');
    await recorder.begin();
    for (const text of ['First line.\nSec', 'ond line.\nThi', 'rd'])
      record({ type: 'text.appended', stepId: 'p1', text });
    // No flush and no close: what the journal was given so far is all that a killed host leaves.
    const journal = join(root, 's1', 'journal.jsonl');
    await expect.poll(() => readFile(journal, 'utf8')).toContain('Second line.');
    expect(await readFile(journal, 'utf8')).not.toContain('Thi');
    const { state, closing } = restoreSession(await store.readJournal('s1'));
    expect(JSON.stringify(state)).toContain('First line.\\nSecond line.');
    expect(closing.map(event => event.type)).toEqual(['turn.ended', 'session.resumed']);
    await recorder.close();
  });

  test('closing writes the line that was being written', async () => {
    begin('Continue');
    await recorder.begin();
    record({ type: 'text.appended', stepId: 'p1', text: 'Half a li' });
    await recorder.close();
    expect((await store.readJournal('s1')).at(-1)).toContain('Half a li');
  });

  test.skipIf(process.platform === 'win32')('nobody else on the machine can look into it', async () => {
    begin('Continue');
    await recorder.begin();
    await recorder.flush();
    await store.saveOutput('s1', 'a.txt', 'x');
    for (const folder of [root, join(root, 's1'), join(root, 's1', 'outputs')])
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await filesBelow(root);
    // Journal, lock and output.
    expect(files).toHaveLength(3);
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    await recorder.close();
  });
});

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
