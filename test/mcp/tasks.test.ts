/* Calls that a server of 2026-07-28 answers by a task, over HTTP. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionClosedError } from '../../src/extension/base/abort.ts';
import { call as calls, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import type { FakeTasks } from './support/fakeTasks.ts';
import { FolioServer } from './support/folioServer.ts';
import { limit, type McpWorld, mcpWorld } from './support/mcpWorld.ts';
import { ModernPeer } from './support/modernPeer.ts';

let peer: ModernPeer;
let world: McpWorld;
let call: RecordingCall;
let tasks: FakeTasks;

beforeEach(async () => {
  peer = await ModernPeer.start();
  ({ tasks } = peer.state);
  world = await mcpWorld();
  call = await RecordingCall.make();
  world.set({ new: { httpUrl: peer.url } });
  await world.until('new', 'ready');
});

afterEach(async () => {
  await call.dispose();
  await world.end();
  await peer.end();
  expect(tasks.faults).toEqual([]);
  expect(peer.faults).toEqual([]);
});

const slow = () => call.use(world.tool('mcp_new_slow'), {});
const done = (text: string, more = {}) => ({
  status: 'completed',
  result: { content: [{ type: 'text', text }], ...more },
});

/** What each poll in turn finds; the last stays. */
function play(...states: readonly object[]): void {
  const rest = [...states];
  tasks.onPoll = taskId => {
    const next = rest.shift();
    if (next) tasks.become(taskId, { ...next });
  };
}

async function polled(times = 1): Promise<void> {
  await vi.waitFor(() => expect(tasks.polled).toBeGreaterThanOrEqual(times), limit);
}

const asked = (key: string) => ({
  [key]: {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `Your ${key}?`,
      requestedSchema: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
    },
  },
});

test('a task is followed to its result, and its card shows how far it is', async () => {
  play({ status: 'working', statusMessage: 'Half done' }, { status: 'working' }, done('The end.'));
  expect((await slow()).text).toContain('The end.');
  expect(call.live).toContain('Task task-1 of the server new\n');
  expect(call.live).toContain('Half done\n');
  expect(peer.of('tools/call')).toHaveLength(1);
});

test('what a task asks for is asked once, and its answer sent', async () => {
  const inputRequests = { ...asked('name'), ...asked('town'), folders: { method: 'roots/list' } };
  const waiting = { status: 'input_required', inputRequests };
  world.user.says.push({ kind: 'accepted', answers: [['Ada']] }, { kind: 'declined' });
  play(waiting, waiting, waiting, done('Hello.'));
  expect((await slow()).text).toContain('Hello.');
  expect(world.user.asked).toMatchObject([
    { message: 'Your name?', callId: 'call-1' },
    { message: 'Your town?', callId: 'call-1' },
  ]);
  expect(tasks.tasks.get('task-1')!.answers).toMatchObject({
    name: { action: 'accept', content: { name: 'Ada' } },
    town: { action: 'decline' },
    folders: { roots: [{ uri: expect.stringContaining(world.folder) }] },
  });
});

test.each([
  ['sampling', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }],
  ['a form without a schema', { method: 'elicitation/create', params: { message: 7 } }],
  ['nothing', null],
])('a task that asks for %s is cancelled', async (_what, request) => {
  play({ status: 'input_required', inputRequests: { x: request } });
  await expect(slow()).rejects.toThrow(/which Folio does not support/);
  expect(tasks.cancelled).toEqual(['task-1']);
});

test.each([
  [{ status: 'failed', error: { code: -32_603, message: 'No ink' } }, /No ink/],
  [{ status: 'cancelled' }, /without a result/],
  [done('Out of paper', { isError: true }), /Out of paper/],
  [{ status: 'dancing' }, /./],
])('a task that ends as %j fails its call', async (state, reason) => {
  play({ status: 'working' }, state);
  await expect(slow()).rejects.toThrow(reason);
  expect(peer.of('tools/call')).toHaveLength(1);
});

test('a state whose answer breaks off is asked for again, and never the call', async () => {
  let broken = 0;
  peer.onRequest = ({ method }, response) => {
    if (method !== 'tasks/get' || broken++ > 2) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setImmediate(() => response.destroy());
    return true;
  };
  play(done('After all.'));
  expect((await slow()).text).toContain('After all.');
  expect(peer.of('tools/call')).toHaveLength(1);
});

test('a server that is gone leaves the id of the task in the result of the call', async () => {
  const running = slow();
  const ended = expect(running).rejects.toThrow(/is gone\..* Its task task-1 may still be running/);
  await polled();
  peer.onRequest = ({ method }, response) => {
    if (method === 'tasks/get') response.destroy();
    return method === 'tasks/get';
  };
  await ended;
});

test('a stop cancels the task', async () => {
  const running = slow();
  await polled();
  call.stopper.abort();
  await expect(running).rejects.toThrow();
  await vi.waitFor(() => expect(tasks.cancelled).toEqual(['task-1']), limit);
});

test('a session that closes leaves it to the server, and follows it again by the id that its card names', async () => {
  const running = slow();
  await polled();
  call.stopper.abort(new SessionClosedError('Folio was closed'));
  await expect(running).rejects.toThrow('Folio was closed');
  expect(tasks.cancelled).toEqual([]);

  const again = await RecordingCall.make();
  play({ status: 'working' }, done('Still here.'));
  const follow = world.tool('read_mcp_task');
  expect((await again.use(follow, { server: 'new', task: 'task-1' })).text).toContain('Still here.');
  await expect(again.use(follow, { server: 'new', task: 'task-9' })).rejects.toThrow(/Task not found/);
  await expect(again.use(follow, { server: 'old', task: 'task-1' })).rejects.toThrow(
    /There is no server old/,
  );
  await again.dispose();
  expect(peer.of('tools/call')).toHaveLength(1);
});

test('a run that is killed leaves the id of the task to the model, which follows it in the next', async () => {
  const folio = await FolioServer.make();
  try {
    const settings = join(folio.folder, 'home', '.gemini');
    await mkdir(settings);
    const mcpServers = { new: { httpUrl: peer.url } };
    await writeFile(join(settings, 'settings.json'), JSON.stringify({ mcpServers }));
    folio.model.script([calls('mcp_new_slow')]);
    const options = ['--approval-mode', 'yolo', '--output-format', 'stream-json'];
    const killed = folio.run(...options, '--prompt', 'Print it');
    let printed = '';
    killed.stdout.on('data', chunk => (printed += chunk));
    await vi.waitFor(() => expect(printed).toContain('Task task-1 of the server new'), limit);
    killed.kill('SIGKILL');
    await killed.exit;

    play({ status: 'working' }, done('Printed.'));
    folio.model.script([calls('read_mcp_task', { server: 'new', task: 'task-1' })], [text('It is printed.')]);
    const next = folio.run('--resume', 'latest', '--prompt', 'And?');
    expect(await textOf(next.stdout)).toContain('It is printed.');
    expect(JSON.stringify(folio.model.requests[1]!.body.contents)).toContain('Task task-1 of the server new');
    expect(lastResults(folio.model.requests[2]!)[0]?.output).toContain('Printed.');
    expect(peer.of('tools/call')).toHaveLength(1);
    expect(tasks.cancelled).toEqual([]);
  } finally {
    await folio.dispose();
  }
});
