/* The server that exercises every part of the protocol, over each of the three ways to reach it. */

import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { declareTool } from '../../src/extension/core/calls/declarations.ts';
import { ToolFailure } from '../../src/extension/core/tool.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { ListeningProgram } from './support/listening.ts';
import { isAlive, type McpWorld, mcpWorld, packaged } from './support/mcpWorld.ts';

const program = packaged('@modelcontextprotocol/server-everything/dist/index.js');
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Way = 'stdio' | 'sse' | 'streamableHttp';

/** A start of the server takes longer than a test. */
const reached = new Map<Way, Promise<McpWorld>>();
const lastEnds: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const end of lastEnds.splice(0).reverse()) await end();
  reached.clear();
});

/** The server as tests share it, which leave it as it was but for what it was asked. */
function reach(way: Way): Promise<McpWorld> {
  if (!reached.has(way)) reached.set(way, start(way, lastEnds));
  return reached.get(way)!;
}

async function start(way: Way, ends: (() => Promise<void>)[]): Promise<McpWorld> {
  const world = await mcpWorld();
  ends.push(world.end);
  if (way === 'stdio') {
    world.set({ all: { command: process.execPath, args: [program, 'stdio'] } });
  } else {
    const peer = await ListeningProgram.start([program, way], /port \d+/i);
    ends.push(() => peer.end());
    const at = `http://127.0.0.1:${peer.port}`;
    world.set({ all: way === 'sse' ? { url: `${at}/sse`, type: 'sse' } : { httpUrl: `${at}/mcp` } });
  }
  await world.until('all', 'ready');
  return world;
}

describe.each(['stdio', 'sse', 'streamableHttp'] as const)('over %s', way => {
  test('every tool answers, with its text, pictures, links and structure kept', async () => {
    const world = await reach(way);
    const call = await RecordingCall.make();
    ends.push(() => call.dispose());
    const use = async (name: string, args: unknown = {}) =>
      await call.use(world.tool(`mcp_all_${name}`), args);

    expect((await use('echo', { message: 'hello' })).text).toBe(
      '<untrusted_content>\nEcho: hello\n</untrusted_content>',
    );
    expect((await use('get-sum', { a: 2, b: 40 })).text).toContain('42');
    expect((await use('get-env')).text).not.toContain('VITEST');
    const picture = await use('get-tiny-image');
    expect(picture.blobs?.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
    expect(
      (await use('get-annotated-message', { messageType: 'error', includeImage: true })).blobs,
    ).toHaveLength(1);
    expect((await use('get-resource-links', { count: 2 })).text).toMatch(/\[Link to the resource demo:\/\//);
    expect((await use('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).text).toMatch(
      /Resource demo:\/\/resource\/dynamic\/text\/1 \(text\/plain\):/,
    );
    const structured = await use('get-structured-content', { location: 'Chicago' });
    expect(structured.text.match(/temperature/g)).toHaveLength(1);
    const zipped = await use('gzip-file-as-resource', {
      name: 'a.gz',
      data: 'data:text/plain;base64,aGVsbG8=',
      outputType: 'resource',
    });
    expect(zipped.blobs).toBeUndefined();
    expect(zipped.text).toContain(`as Base64 in ${call.saved[0]}`);
    expect((await use('toggle-simulated-logging')).text).toContain('logging');
    expect((await use('toggle-subscriber-updates')).text).toContain('updates');
    expect((await use('get-roots-list')).text).toContain(world.folder);
    await use('trigger-long-running-operation', { duration: 1, steps: 4 });
    expect(call.live).toMatch(/1 of 4[\s\S]*2 of 4[\s\S]*3 of 4/);
    expect((await use('simulate-research-query', { topic: 'tides' })).text).toContain(
      'Research Report: tides',
    );
    // What may only be offered to clients that lend their model is not there.
    expect(world.tools().map(({ name }) => name)).not.toContain('mcp_all_trigger-sampling-request');
  });

  test('prompts come with their arguments, and resources by list, template and address', async () => {
    const world = await reach(way);
    const { signal } = new AbortController();
    const prompts = world.servers.prompts();
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt']),
    );
    const withArgs = prompts.find(({ name }) => name === 'args-prompt');
    expect(withArgs?.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['city', true],
      ['state', false],
    ]);
    const reported = await world.servers.getPrompt('all', 'args-prompt', { city: 'Oslo' }, signal);
    expect(reported.text).toContain('Oslo');
    expect(reported.text).not.toContain('untrusted');
    const carrying = await world.servers.getPrompt(
      'all',
      'resource-prompt',
      { resourceType: 'Text', resourceId: '1' },
      signal,
    );
    expect(carrying.text).toMatch(/<untrusted_content>\nResource demo:/);
    await expect(world.servers.getPrompt('all', 'args-prompt', {}, signal)).rejects.toThrow(/city/);

    expect(world.servers.resources().length).toBeGreaterThan(0);
    for (const { uri } of world.servers.resources()) {
      expect((await world.servers.readResource('all', uri, signal)).text).toContain(uri);
    }
    expect(world.servers.templates().map(({ uriTemplate }) => uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    );
    const dynamic = await world.servers.readResource('all', 'demo://resource/dynamic/text/7', signal);
    expect(dynamic.text).toContain('demo://resource/dynamic/text/7');
    const call = await RecordingCall.make();
    ends.push(() => call.dispose());
    expect((await call.use(world.tool('list_mcp_resources'), { server: 'all' })).text).toContain(
      '{resourceId}',
    );
    const read = world.tool('read_mcp_resource');
    expect((await call.prepare(read, { server: 'all', uri: 'x:' })).target).toEqual({
      kind: 'mcp',
      server: 'all',
      tool: '',
    });
    expect((await call.use(read, { server: 'all', uri: 'demo://resource/dynamic/text/2' })).text).toMatch(
      /^<untrusted/,
    );
    await expect(call.use(read, { server: 'none', uri: 'x:' })).rejects.toThrow('Available: all.');
  });

  test('a form is shown to the user, and their answer goes back as the server wants it', async () => {
    const world = await reach(way);
    const call = await RecordingCall.make();
    ends.push(() => call.dispose());
    const form = world.tool('mcp_all_trigger-elicitation-request');
    const kindOf = (at: number) => {
      const asked = world.user.asked[at];
      if (asked?.kind !== 'form') throw new Error('No form was shown.');
      return asked;
    };
    world.user.says.push({ kind: 'declined' });
    expect((await call.use(form, {})).text).toMatch(/declin/i);
    const { questions, server, callId } = kindOf(0);
    expect([server, callId]).toEqual(['all', 'call-1']);
    const first = questions.findIndex(({ header }) => header === 'String');
    const said: Readonly<Record<string, string>> = {
      String: 'Ada',
      Boolean: 'Yes',
      'String with email format': 'a@example.com',
      Integer: '7',
    };
    // What is left empty is left out, or has the server's default.
    const answers = questions.map(({ header = '' }) => (said[header] === undefined ? [] : [said[header]]));
    const empty = answers.map((answer, at) => (at === first ? [] : answer));
    world.user.says.push({ kind: 'accepted', answers: empty }, { kind: 'accepted', answers });
    const accepted = (await call.use(form, {})).text;
    expect(accepted).toContain('"name": "Ada"');
    expect(accepted).toContain('"integer": 7');
    expect(accepted).toContain('"number": 3.14');
    expect(kindOf(2).message).toMatch(/not accepted: .*name/);
    const asked = world.user.asked.length;
    expect(asked).toBe(3);
    expect((await call.use(form, {})).text).toMatch(/cancel/i);
    expect(kindOf(asked).kind).toBe('form');
  });
});

test('declarations of a real server are ones that a provider takes, under names within 63 characters', async () => {
  const world = await reach('stdio');
  for (const tool of world.tools()) {
    const declared = declareTool(tool);
    expect(declared.name).toMatch(/^[a-zA-Z_][\w-]{0,62}$/);
    expect(declared.description).not.toBe('');
    expect(declared.parameters.type).toBe('object');
  }
  expect(declareTool(world.tool('mcp_all_get-sum')).parameters).toMatchObject({
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  });
});

test('arguments that do not fit are explained to the model before the server sees them', async () => {
  const world = await reach('stdio');
  const sum = world.tool('mcp_all_get-sum');
  expect(sum.input().safeParse({ a: 1, b: 2 }).success).toBe(true);
  const wrong = sum.input().safeParse({ a: 'one' });
  expect(wrong.error?.issues[0]?.message).toMatch(/b|number/);
});

test('an address is only opened after a yes', async () => {
  const world = await reach('stdio');
  const call = await RecordingCall.make();
  ends.push(() => call.dispose());
  const tool = world.tool('mcp_all_trigger-url-elicitation');
  const address = 'https://example.com/pay';
  const args = { url: address, message: 'Pay', elicitationId: 'e1' };
  world.user.says.push({ kind: 'declined' });
  await call.use(tool, args).catch((error: unknown) => expect(error).toBeInstanceOf(ToolFailure));
  expect(world.user.asked.at(-1)).toMatchObject({ kind: 'address', address });
  expect(world.user.opened).toEqual([]);
  world.user.says.push({ kind: 'accepted', answers: [] });
  await call.use(tool, args).catch((error: unknown) => expect(error).toBeInstanceOf(ToolFailure));
  expect(world.user.opened).toEqual([address]);
});

test('a call that the user stops ends at once, and the server continues', async () => {
  const world = await reach('stdio');
  const call = await RecordingCall.make();
  ends.push(() => call.dispose());
  call.onWrite = () => call.stopper.abort(new Error('The user stopped'));
  const long = call.use(world.tool('mcp_all_trigger-long-running-operation'), { duration: 50, steps: 100 });
  await expect(long).rejects.toThrow('The user stopped');
  const next = await RecordingCall.make();
  ends.push(() => next.dispose());
  expect((await next.use(world.tool('mcp_all_echo'), { message: 'still here' })).text).toContain(
    'still here',
  );
});

test('a server that cannot be reached by the newer way is tried by the older one', async () => {
  const peer = await ListeningProgram.start([program, 'sse'], /port \d+/i);
  ends.push(() => peer.end());
  const world = await mcpWorld();
  ends.push(world.end);
  world.set({ old: { url: `http://127.0.0.1:${peer.port}/sse` } });
  expect((await world.until('old', 'ready')).tools.length).toBeGreaterThan(5);
});

test('stopping all servers leaves no process behind', async () => {
  const world = await start('stdio', ends);
  const [started] = world.processes.started;
  expect(isAlive(started?.pid)).toBe(true);
  await world.servers.stop();
  expect(isAlive(started?.pid)).toBe(false);
});
