/* Runs that leave the task of a server to it, and later ones that get the result. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call as calls, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import type { FakeTasks } from './support/fakeTasks.ts';
import { FolioServer } from './support/folioServer.ts';
import { ModernPeer } from './support/modernPeer.ts';

let peer: ModernPeer;
let tasks: FakeTasks;
let folio: FolioServer;

beforeEach(async () => {
  peer = await ModernPeer.start();
  ({ tasks } = peer.state);
  folio = await FolioServer.make();
  await configure({ new: { httpUrl: peer.url } });
});

afterEach(async () => {
  await folio.dispose();
  await peer.end();
  expect(tasks.faults).toEqual([]);
  expect(peer.faults).toEqual([]);
  expect(tasks.cancelled).toEqual([]);
});

async function configure(mcpServers: object): Promise<void> {
  const settings = join(folio.folder, 'home', '.gemini');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'settings.json'), JSON.stringify({ mcpServers }));
}

async function run(...options: readonly string[]) {
  const program = folio.run('--approval-mode', 'yolo', ...options);
  const [out, errors, code] = await Promise.all([
    textOf(program.stdout),
    textOf(program.stderr),
    program.exit,
  ]);
  return { out, errors, code };
}

/** A run whose call the server answers by a task. */
async function detach(...options: readonly string[]) {
  folio.model.script([calls('mcp_new_slow')], [text('It prints.')]);
  return await run('--detach-tasks', '--prompt', 'Print it', ...options);
}

const resume = (...options: readonly string[]) => run('--resume', 'latest', '--prompt', 'And?', ...options);

const done = {
  status: 'completed',
  result: {
    content: [
      { type: 'text', text: 'Printed.' },
      {
        type: 'image',
        mimeType: 'image/png',
        data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
    ],
  },
};

/** What the newest request says to the model. */
const told = () => JSON.stringify(folio.model.requests.at(-1)!.body.contents);

test('a run leaves a task to its server, and says how to get the result', async () => {
  const { out, errors, code } = await detach('--output-format', 'json');
  expect(code).toBe(3);
  const { answer, sessionId, tasks: open, end } = JSON.parse(out);
  expect({ answer, open, end }).toEqual({
    answer: 'It prints.',
    open: [{ server: 'new', id: 'task-1' }],
    end: { kind: 'rested' },
  });
  expect(errors).toContain('A task goes on without this run: task-1 of the server new.');
  expect(errors).toContain(`Get its result with --resume ${sessionId} --prompt TEXT.`);
  expect(lastResults(folio.model.requests[1]!)[0]?.output).toContain('there is no result yet');
});

test('the run that continues the session gives the model the result, once', async () => {
  await detach();
  let polls = 0;
  tasks.onPoll = id => {
    polls += 1;
    if (polls === 3) tasks.become(id, done);
  };
  folio.model.script([text('It is printed.')], [text('Yes.')]);
  const { out, errors, code } = await resume();
  expect(code).toBe(0);
  expect(out).toContain('It is printed.');
  expect(errors).toContain('Waiting for the task task-1 of the server new.');
  expect(told()).toContain('Printed.');
  expect(told()).toContain('iVBORw0KGgo');
  expect((await resume()).errors).not.toContain('task-1');
  expect(polls).toBe(3);
  expect(peer.of('tools/call')).toHaveLength(1);
});

test('a run that waits for nothing sends no prompt before the result is there', async () => {
  await detach();
  const early = await resume('--detach-tasks');
  expect(early.code).toBe(3);
  expect(early.errors).toContain('A task goes on without this run: task-1');
  expect(folio.model.requests).toHaveLength(2);
  tasks.become('task-1', done);
  folio.model.script([text('It is printed.')]);
  expect(await resume('--detach-tasks')).toMatchObject({ out: 'It is printed.\n', code: 0 });
  expect(told()).toContain('Printed.');
});

test('a task that is over at once gives its result', async () => {
  tasks.onPoll = id => tasks.become(id, done);
  expect(await detach()).toMatchObject({ out: 'It prints.\n', code: 0 });
  expect(lastResults(folio.model.requests[1]!)[0]?.output).toContain('Printed.');
});

test('the model does not wait for a task that it follows itself', async () => {
  const follow = calls('read_mcp_task', { server: 'new', task: 'task-1' });
  folio.model.script([calls('mcp_new_slow')], [follow], [text('Later.')]);
  expect(await run('--detach-tasks', '--prompt', 'Print it')).toMatchObject({ out: 'Later.\n', code: 3 });
  expect(lastResults(folio.model.requests[2]!)[0]?.output).toContain('there is no result yet');
});

test('a server that is gone leaves the task open to a run that does not wait, and the model hears of it otherwise', async () => {
  await detach();
  await configure({});
  const polling = await resume('--detach-tasks');
  expect(polling.code).toBe(3);
  expect(polling.errors).toContain(
    'The task task-1 of the server new cannot be read now: There is no server new.',
  );
  expect(folio.model.requests).toHaveLength(2);
  folio.model.script([text('A pity.')]);
  const { out, errors, code } = await resume();
  expect({ out, code }).toEqual({ out: 'A pity.\n', code: 0 });
  expect(errors).toContain('The task task-1 of the server new has no result');
  expect(told()).toContain('The task could not be followed: There is no server new.');
});

test('a server that does not answer any more is no endless wait', async () => {
  await detach();
  await configure({ new: { httpUrl: peer.url.replace(/:\d+/, ':9') } });
  const start = ['--server-start', '1'];
  expect((await resume('--detach-tasks', ...start)).code).toBe(3);
  folio.model.script([text('A pity.')]);
  expect(await resume(...start)).toMatchObject({ out: 'A pity.\n', code: 0 });
  expect(told()).toContain('The task could not be followed: The server new does not run.');
});

test('a task that expired is over, and the model reads until when its server kept it', async () => {
  const createdAt = '2026-11-30T04:00:00.000Z';
  tasks.onPoll = id => tasks.become(id, { status: 'working', createdAt, ttlMs: 60_000 });
  const { errors } = await detach();
  expect(errors).toContain('task-1 of the server new, which keeps it until 2026-11-30T04:01:00.000Z');
  tasks.onPoll = () => tasks.tasks.delete('task-1');
  folio.model.script([text('It was lost.')]);
  const next = await resume('--detach-tasks');
  expect(next).toMatchObject({ out: 'It was lost.\n', code: 0 });
  expect(next.errors).toContain('The task task-1 of the server new has no result');
  expect(told()).toContain('which its server kept until 2026-11-30T04:01:00.000Z');
  expect(told()).toContain('Task not found');
});

test('only a run with a prompt detaches', async () => {
  expect(await run('--detach-tasks', '--input-format', 'stream-json')).toMatchObject({
    code: 2,
    errors: '--detach-tasks is for a run with --prompt. See --help.\n',
  });
});
