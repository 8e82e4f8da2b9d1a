/* Servers that work and say odd things beside: none harms a call, and each leaves a word in the page or the log. */

import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { limit, type McpWorld, mcpWorld } from './support/mcpWorld.ts';

const program = join(import.meta.dirname, 'support/oddServer.ts');

async function serve(how: string): Promise<McpWorld> {
  const world = await mcpWorld();
  onTestFinished(world.end);
  world.set({ odd: { command: process.execPath, args: [program, how] } });
  await world.until('odd', 'ready');
  return world;
}

async function makeCall(): Promise<RecordingCall> {
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  return call;
}

async function use(world: McpWorld, tool: 'act' | 'say'): Promise<string> {
  return (await (await makeCall()).use(world.tool(`mcp_odd_${tool}`), {})).text;
}

async function expectLogged(world: McpWorld, words: string): Promise<void> {
  await vi.waitFor(() => expect(world.logged.join('\n')).toContain(words), limit);
}

async function expectWell(world: McpWorld): Promise<void> {
  expect(await use(world, 'say')).toContain('said');
  expect(world.row('odd').status).toEqual({ kind: 'ready' });
  expect(world.processes.started).toHaveLength(1);
}

test('news that nobody waits for is passed over, a request that is not known is refused, a ping is answered', async () => {
  const world = await serve('talks');
  const heard = await use(world, 'act');
  expect(heard).toContain('{"result":{},"jsonrpc":"2.0","id":"p1"}');
  expect(heard).toContain('Folio does not know weather/forecast.');
  expect(heard).toContain('-32601');
  await expectLogged(world, 'It reported notifications/resources/updated, which Folio does not act on.');
  await expectLogged(world, 'It reported notifications/weather/changed, which Folio does not act on.');
  await expectLogged(world, 'A request of it was refused: Folio does not know weather/forecast.');
  await expectWell(world);
});

test('of two answers to a call the first counts, and progress after it reaches no card', async () => {
  const world = await serve('repeats');
  const call = await makeCall();
  expect((await call.use(world.tool('mcp_odd_act'), {})).text).toContain('the first');
  await expectLogged(world, 'unknown message ID');
  await expectLogged(world, 'unknown token');
  expect(call.live).toBe('');
  await expectWell(world);
});

test('an answer to a call that was stopped comes to nothing', async () => {
  const world = await serve('late');
  const call = await makeCall();
  call.onWrite = () => call.stopper.abort();
  await expect(call.use(world.tool('mcp_odd_act'), {})).rejects.toThrow(/abort/i);
  await expectLogged(world, 'unknown message ID');
  await expectWell(world);
});

test('lines of a megabyte in its log are shown by their beginning', async () => {
  const world = await serve('logs');
  expect(await use(world, 'act')).toContain('logged');
  for (const words of ['wrote xxx', 'said yyy']) await expectLogged(world, words);
  expect(Math.max(...world.logged.map(({ length }) => length))).toBeLessThan(1_100);
  expect(world.row('odd').lastLog?.length).toBeLessThanOrEqual(1_000);
  await expectWell(world);
});

test('characters that are cut apart by chunks come whole', async () => {
  const world = await serve('halves');
  expect(await use(world, 'act')).toContain('Grüße 👋');
  await expectWell(world);
});

test('a banner in the line of its first message does not cost the message', async () => {
  const world = await serve('banner');
  await expectLogged(world, 'It printed what is no message: Welcome to the server:');
  await expectWell(world);
});

test('a list whose pages never end is cut, and that is said', async () => {
  const world = await serve('pages');
  await expectLogged(world, 'Its answers to tools/list go on and on: 200 entries were read');
  expect(world.row('odd').tools.map(({ name }) => name)).toEqual(['act', 'say']);
  await expectWell(world);
});

test('a server that runs and reads no more is said to be gone at the next call, and started again', async () => {
  const world = await serve('deaf');
  await expect(use(world, 'say')).rejects.toThrow(
    'The server odd is gone. It is running, but no longer reads its input.',
  );
  expect((await world.until('odd', 'retrying')).status).toMatchObject({
    reason: 'It is running, but no longer reads its input.',
  });
  await vi.waitFor(() => expect(world.processes.started.length).toBeGreaterThan(1), limit);
});
