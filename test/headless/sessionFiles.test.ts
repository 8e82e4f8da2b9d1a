import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { eachTest } from '../support/eachTest.ts';
import { call, invalidKey, text } from '../support/geminiAnswers.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';

const world = eachTest(() => HeadlessWorld.make());
let file: string;
/** Where the session is opened. */
let other: string;

beforeEach(async () => {
  file = join(world.folder, 'session.jsonl');
  other = join(world.folder, 'other');
  await mkdir(other);
});

const place = () => ['--workspace', other, '--session-dir', join(world.folder, 'others')];

async function runAndKeep(): Promise<void> {
  await writeFile(join(world.workspace, 'a.txt'), 'one\n');
  world.server.script(
    [call('read_file', { file_path: 'a.txt' })],
    [call('replace', { file_path: 'a.txt', instruction: 'i', old_string: 'one', new_string: 'two' })],
    [call('write_file', { file_path: 'b.txt', content: 'new\n' })],
    [text('Changed.')],
  );
  const args = ['--prompt', 'Change it', '--approval-mode', 'yolo', '--session-file', file];
  expect(await world.run(args)).toEqual({ code: 0, out: 'Changed.\n', error: '' });
}

async function bring(): Promise<{ readonly id: string; readonly events: readonly SessionEvent[] }> {
  const { code, out, error } = await world.run([...place(), '--import', file]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  const id = out.trim();
  const journal = await readFile(join(world.folder, 'others', id, 'journal.jsonl'), 'utf8');
  return {
    id,
    events: journal
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as SessionEvent),
  };
}

test('a run leaves its session as a file, and another folder takes it up with its history', async () => {
  await runAndKeep();
  expect(await readFile(file, 'utf8')).not.toContain(world.workspace);
  const { id, events } = await bring();
  expect(events[0]).toMatchObject({ type: 'session.started', folders: [other], mode: 'default' });
  expect(JSON.stringify(events)).not.toMatch(/yolo|checkpoint\.taken|file\.written|call\.decided/);
  expect(await readdir(other)).toEqual([]);
  world.server.script([text('Two.')]);
  const resumed = await world.run([...place(), '--resume', id, '--prompt', 'What did you write?']);
  expect(resumed).toEqual({ code: 0, out: 'Two.\n', error: '' });
  const { contents } = world.server.requests.at(-1)!.body;
  expect(contents!.map(({ role }) => role)).toEqual(
    contents!.map((_content, index) => (index % 2 === 0 ? 'user' : 'model')),
  );
  expect(JSON.stringify(contents)).toContain('untrusted_content');
  expect(JSON.stringify(contents)).toContain('Change it');
  expect(JSON.stringify(contents)).not.toContain('functionCall');
});

test('hunks wait for review where the files hold the changes, and come back where they will', async () => {
  await runAndKeep();
  await writeFile(join(other, 'a.txt'), 'two\n');
  const { events } = await bring();
  const reviews = events.filter(({ type }) => type === 'review.changed' || type === 'review.putAside');
  expect(reviews).toMatchObject([
    { type: 'review.changed', path: join(other, 'a.txt'), review: { hunks: [{ status: 'pending' }] } },
    { type: 'review.putAside', path: join(other, 'b.txt'), reviews: [{ change: 'created' }] },
  ]);
  const note = events.find(event => event.type === 'notice.shown');
  expect(note).toMatchObject({ text: expect.stringContaining('Not changed here: b.txt.') });
});

test('a file that is no session is refused, and so is one that is not there', async () => {
  await writeFile(file, '{"name":"package"}\n');
  const wrong = await world.run([...place(), '--import', file]);
  expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('is not a session of Folio') });
  const missing = await world.run([...place(), '--import', `${file}.no`]);
  expect(missing).toMatchObject({ code: 2, error: expect.stringContaining('cannot be read') });
  const folder = await world.run([...place(), '--import', world.workspace]);
  expect(folder).toMatchObject({ code: 2, error: expect.stringContaining('is no regular file.') });
});

test('a run that fails leaves its session, too', async () => {
  world.server.script(invalidKey());
  expect(await world.run(['--prompt', 'Change it', '--session-file', file])).toMatchObject({ code: 1 });
  expect(await readFile(file, 'utf8')).toContain('"text":"Change it"');
});

test('options that exclude each other are refused', async () => {
  const both = await world.run(['--import', file, '--prompt', 'x']);
  expect(both).toMatchObject({ code: 2, error: expect.stringContaining('--import makes a session') });
  const served = await world.run(['--acp', '--session-file', file]);
  expect(served).toMatchObject({ code: 2, error: expect.stringContaining('--session-file is for a run') });
});
