/* Servers that speak 2026-07-28 and nothing older, over both ways, made with the protocol's own library. */

import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { limit, type McpWorld, mcpWorld } from './support/mcpWorld.ts';
import { ModernPeer } from './support/modernPeer.ts';

const program = join(import.meta.dirname, 'support/modernServer.ts');

interface Reached {
  readonly world: McpWorld;
  readonly use: (name: string, args?: unknown) => Promise<string>;
}

async function reach(entry: object): Promise<Reached> {
  const world = await mcpWorld();
  onTestFinished(world.end);
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  world.set({ new: entry });
  await world.until('new', 'ready');
  const use = async (name: string, args: unknown = {}) =>
    (await call.use(world.tool(`mcp_new_${name}`), args)).text;
  return { world, use };
}

async function peer(): Promise<ModernPeer> {
  const started = await ModernPeer.start();
  onTestFinished(() => started.end());
  return started;
}

const stdio = () => reach({ command: process.execPath, args: [program] });

describe.each(['stdio', 'http'])('over %s', way => {
  const reachIt = async () =>
    way === 'stdio' ? await stdio() : await reach({ httpUrl: (await peer()).url });

  test('a server is found to be new, and its tools, resources and instructions are there', async () => {
    const { world, use } = await reachIt();
    expect(await use('echo', { text: 'ä' })).toContain('{"text":"ä"}');
    expect(world.servers.instructions()).toMatchObject([{ server: 'new' }]);
    const call = await RecordingCall.make();
    onTestFinished(() => call.dispose());
    const read = await call.use(world.tool('read_mcp_resource'), { server: 'new', uri: 'tide://today' });
    expect(read.text).toContain('high at noon');
  });

  test('every request says the version, who asks, what it can, and what it wants logged', async () => {
    const { world, use } = await reachIt();
    const said = await use('whoami');
    expect(said).toContain('"io.modelcontextprotocol/protocolVersion":"2026-07-28"');
    expect(said).toContain('"io.modelcontextprotocol/clientInfo":{"name":"folio"');
    expect(said).toContain('"elicitation":{"form":{},"url":{}}');
    expect(said).toContain('"io.modelcontextprotocol/logLevel":"info"');
    await use('log');
    await vi.waitFor(() => expect(world.logged.join('\n')).toContain('a line of the call'), limit);
  });

  test('schemas of 2020-12 are checked, and references written out for the model', async () => {
    const { world, use } = await reachIt();
    expect(await use('pair', { pair: [1, 'ab'] })).toContain('{"pair":[1,"ab"]}');
    await expect(use('pair', { pair: [1, 'a'] })).rejects.toThrow(/fewer than 2/);
    await expect(use('pair', { pair: [1, 'ab', 3] })).rejects.toThrow();
    expect(JSON.stringify(world.tool('mcp_new_pair').schema)).not.toContain('$ref');
  });

  test.each([7, 'seven', true, null, [1, { a: 2 }], { a: [] }])(
    '%j comes as structured content',
    async value => {
      const { use } = await reachIt();
      const text = await use('any', { value });
      const [, json = ''] = /<untrusted_content>\n([\s\S]*)\n<\/untrusted_content>/.exec(text) ?? [];
      expect(JSON.parse(json)).toEqual(value);
    },
  );

  test('forms in the middle of a call are asked in turn, and the state goes back as it came', async () => {
    const { world, use } = await reachIt();
    world.user.says.push({ kind: 'accepted', answers: [['Ada']] }, { kind: 'accepted', answers: [['Kiel']] });
    expect(await use('ask')).toContain(
      '2 {"action":"accept","content":{"name":"Ada"}} and {"action":"accept","content":{"town":"Kiel"}}',
    );
    expect(world.user.asked).toMatchObject([
      { kind: 'form', message: 'Your name?', callId: 'call-1' },
      { kind: 'form', message: 'Your town?', callId: 'call-1' },
    ]);
  });

  test('a form that the user turns down or closes is what the server hears', async () => {
    const { world, use } = await reachIt();
    world.user.says.push({ kind: 'declined' });
    expect(await use('ask')).toContain('The user said decline.');
    expect(await use('ask')).toContain('The user said cancel.');
  });

  test('a call whose server only wants to be asked again is asked again', async () => {
    const { use } = await reachIt();
    expect(await use('later')).toContain('came later');
  });

  test('an address is opened after a yes', async () => {
    const { world, use } = await reachIt();
    world.user.says.push({ kind: 'accepted', answers: [] });
    expect(await use('visit')).toContain('"action":"accept"');
    expect(world.user.opened).toEqual(['https://pay.example/1']);
  });

  test('a server gets the folders, and hears that it cannot have the language model', async () => {
    const { world, use } = await reachIt();
    expect(await use('folders')).toContain(world.folder);
    await expect(use('sample')).rejects.toThrow(/sampling/);
  });

  test('a server that asks without end is given up', async () => {
    const { use } = await reachIt();
    await expect(use('endless')).rejects.toThrow(/too many times/);
    expect(await use('echo', { text: 'still' })).toContain('still');
  });
});

test('a tool that a program adds is there without a question', async () => {
  const { world, use } = await stdio();
  await use('grow');
  await vi.waitFor(() => world.tool('mcp_new_grown0'), limit);
});

describe('over HTTP', () => {
  async function reachPeer() {
    const at = await peer();
    return { at, ...(await reach({ httpUrl: at.url })) };
  }

  test('nothing is sent that the protocol does not allow, and each request has its headers', async () => {
    const { at, world, use } = await reachPeer();
    await use('place', { region: 'nörd', count: 3 });
    await use('place', { count: 3 });
    await world.servers.stop();
    expect(at.faults).toEqual([]);
    const [first, second] = at.of('tools/call').map(({ headers }) => headers);
    expect(first).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'place',
      'mcp-param-region': '=?base64?bsO2cmQ=?=',
    });
    expect(second).not.toHaveProperty('mcp-param-region');
    expect(new Set(at.requests.map(({ id }) => id)).size).toBe(at.requests.length);
  });

  test('a tool whose headers are not valid is left out, and the log says why', async () => {
    const { world } = await reachPeer();
    expect(world.tools().some(({ name }) => name === 'mcp_new_crooked')).toBe(false);
    expect(world.logged.join('\n')).toMatch(/tool crooked was left out: Size belongs to no/);
  });

  test('a server that wants another header than its schema said is read again, and the call sent again', async () => {
    const { at, use } = await reachPeer();
    at.state.header = 'Zone';
    at.onRequest = ({ method, id, headers }, response) => {
      if (method !== 'tools/call' || headers['mcp-param-zone'] !== undefined) return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_020, message: 'Zone is missing' } }),
      );
      return true;
    };
    expect(await use('place', { region: 'north' })).toContain('north');
    expect(at.of('tools/call').at(-1)?.headers['mcp-param-zone']).toBe('north');
  });

  test('a server that asks for the language model all the same fails the call alone', async () => {
    const { at, use } = await reachPeer();
    at.onRequest = ({ method, id }, response) => {
      if (method !== 'tools/call') return false;
      const inputRequests = {
        a: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'input_required', inputRequests } }),
      );
      return true;
    };
    await expect(use('act')).rejects.toThrow(/your language model, which Folio does not/);
    at.onRequest = () => false;
    expect(await use('act')).toContain('done');
  });

  test('an answer with an unknown block or without its kind, and a list with one wrong tool, are read', async () => {
    const { at, world, use } = await reachPeer();
    at.onRequest = ({ method, id }, response) => {
      const results: Readonly<Record<string, object>> = {
        'tools/call': { content: [{ type: 'hologram' }, { type: 'text', text: 'and a text' }] },
        'tools/list': {
          resultType: 'complete',
          tools: [{ name: 7 }, { name: 'good', inputSchema: { type: 'object' } }],
        },
      };
      const result = results[method];
      if (result === undefined) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      return true;
    };
    expect(await use('act')).toMatch(/hologram[\s\S]*and a text/);
    at.addTool('more');
    await vi.waitFor(() => world.tool('mcp_new_good'), limit);
  });

  test('two calls at once are asked about on their own cards', async () => {
    const { world } = await reachPeer();
    world.user.says.push({ kind: 'accepted', answers: [] }, { kind: 'accepted', answers: [] });
    const [one, two] = [await RecordingCall.make(), await RecordingCall.make()];
    onTestFinished(() => one.dispose());
    onTestFinished(() => two.dispose());
    Object.assign(two, { callId: 'call-2' });
    const tool = world.tool('mcp_new_visit');
    await Promise.all([one.use(tool, {}), two.use(tool, {})]);
    expect(world.user.asked.map(({ callId }) => callId).sort()).toEqual(['call-1', 'call-2']);
  });

  test('a tool that is added comes without a question, also after the stream of changes broke off', async () => {
    const { at, world } = await reachPeer();
    const lists = () => at.of('tools/list').length;
    at.addTool('first');
    await vi.waitFor(() => world.tool('mcp_new_first'), limit);
    const before = lists();
    at.cutStreams();
    at.state.more.push('missed');
    await world.clock.passUntil(
      vi.waitFor(() => world.tool('mcp_new_missed'), limit),
      1_000,
    );
    expect(at.of('subscriptions/listen')).toHaveLength(2);
    expect(lists()).toBe(before + 1);
    at.addTool('third');
    await vi.waitFor(() => world.tool('mcp_new_third'), limit);
  });

  test('a list is not read again while it is fresh, and is when its time is over and it is wanted', async () => {
    const at = await peer();
    at.state.ttlMs = 60_000;
    const { world } = await reach({ httpUrl: at.url });
    at.state.more.push('quiet');
    at.cutStreams();
    const opened = () => expect(at.of('subscriptions/listen')).toHaveLength(2);
    await world.clock.passUntil(vi.waitFor(opened, limit), 1_000);
    world.tools();
    expect(at.of('tools/list')).toHaveLength(1);
    world.clock.pass(60_000);
    world.tools();
    await world.clock.passUntil(
      vi.waitFor(() => world.tool('mcp_new_quiet'), limit),
      100,
    );
    expect(at.of('tools/list')).toHaveLength(2);
  });

  const breakOff = (at: ModernPeer, times: number) => {
    let left = times;
    at.onRequest = ({ method }, response) => {
      if (method !== 'tools/call' || left-- <= 0) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // A number makes no stream of this version one that can be resumed.
      response.write('id: 7\ndata: \n\n');
      setTimeout(() => response.destroy(), 50);
      return true;
    };
  };

  test.each(['look', 'set'])(
    'a call of %s, which may be repeated, is sent again when its answer breaks off',
    async name => {
      const { at, world, use } = await reachPeer();
      breakOff(at, 1);
      expect(await use(name)).toContain('done');
      const ids = at.of('tools/call').map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      expect(world.user.asked).toEqual([]);
      breakOff(at, 9);
      await expect(use(name)).rejects.toThrow(/ended early/);
      expect(at.of('tools/call')).toHaveLength(4);
    },
  );

  test('any other is sent again after a yes alone, and otherwise the model hears that nothing is known', async () => {
    const { at, world, use } = await reachPeer();
    breakOff(at, 2);
    world.user.says.push({ kind: 'accepted', answers: [['Yes']] }, { kind: 'accepted', answers: [['No']] });
    await expect(use('act')).rejects.toThrow(/cannot tell whether the call was carried out/);
    expect(at.of('tools/call')).toHaveLength(2);
    expect(world.user.asked).toMatchObject([{ callId: 'call-1' }, { callId: 'call-1' }]);
    breakOff(at, 1);
    world.user.says.push({ kind: 'accepted', answers: [['yes']] });
    expect(await use('act')).toContain('done');
    expect(at.faults).toEqual([]);
  });

  test('tools keep their order and are the same ones when a list comes in another order', async () => {
    const { at, world } = await reachPeer();
    const before = world.tools();
    at.state.isRestless = true;
    at.addTool('zebra');
    await vi.waitFor(() => world.tool('mcp_new_zebra'), limit);
    at.addTool('yak');
    await vi.waitFor(() => world.tool('mcp_new_yak'), limit);
    const names = before.map(({ name }) => name);
    expect(
      world
        .tools()
        .map(({ name }) => name)
        .filter(name => names.includes(name)),
    ).toEqual(names);
  });
});
