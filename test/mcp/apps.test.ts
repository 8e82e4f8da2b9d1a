/* Pages of a real server: how a call keeps them, under which policy they are served, and what they may ask. */

import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { Decision } from '../../src/extension/core/calls/approvals.ts';
import type { Session } from '../../src/extension/core/session/session.ts';
import { type AnyTool, defineTool } from '../../src/extension/core/tool.ts';
import type { AppHost } from '../../src/extension/mcp/apps/appBridge.ts';
import type { DownloadFile } from '../../src/extension/mcp/apps/appFile.ts';
import { contentSecurityPolicy, pageDocument } from '../../src/extension/mcp/apps/appPage.ts';
import { McpAppPages } from '../../src/extension/mcp/apps/mcpAppPages.ts';
import type { McpPorts } from '../../src/extension/mcp/ports.ts';
import { historyFaults } from '../support/checkHistory.ts';
import { makeWorld } from '../support/conversation.ts';
import { onEmitted } from '../support/emitted.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { mcpWorld } from './support/mcpWorld.ts';

const program = join(import.meta.dirname, 'support', 'appsServer.ts');

async function serve(intents: Partial<McpPorts> = { showsApps: () => true }) {
  const world = await mcpWorld(intents);
  onTestFinished(world.end);
  world.set({
    board: { command: process.execPath, args: [program] },
    other: { command: process.execPath, args: [program] },
  });
  await world.until('board', 'ready');
  await world.until('other', 'ready');
  return world;
}

type World = Awaited<ReturnType<typeof serve>>;

/** Makes a call as a session does; what it saves lies in `saved`. */
async function call({ tool }: World, name: string, args: object = {}, saved = new Map<string, string>()) {
  const made = tool(`mcp_board_${name}`);
  return await made.run(made.input().parse(args), undefined, {
    callId: 'call-1',
    signal: new AbortController().signal,
    write: () => {},
    saveOutput: async (output, as) => {
      const path = `/outputs/${name}.${as}`;
      saved.set(path, String(output));
      return path;
    },
    files: new MemoryFileSystem(),
  });
}

interface Did {
  readonly calls: (readonly [tool: AnyTool, args: unknown])[];
  readonly links: string[];
  readonly files: DownloadFile[];
  readonly drafts: string[];
  readonly contexts: string[];
}

/** Opens the page of a call; `runs` says whether the user allows what it calls. */
async function openApp(world: World, name = 'show_board', hosts: readonly string[] = [], runs = true) {
  const saved = new Map<string, string>();
  const { display } = await call(world, name, { city: 'Oslo' }, saved);
  const files = { readText: async (path: string) => ({ text: saved.get(path)! }) as never };
  const apps = new McpAppPages(() => world.servers, files, world.clock);
  onTestFinished(() => apps.dispose());
  const did: Did = { calls: [], links: [], files: [], drafts: [], contexts: [] };
  const user: AppHost = {
    call: async (tool, args) => {
      did.calls.push([tool, args]);
      const context = { callId: 'call-2', signal: new AbortController().signal, write: () => {} };
      const rest = { saveOutput: async () => undefined, files: new MemoryFileSystem() };
      if (runs) await tool.run(args, undefined, { ...context, ...rest });
    },
    openLink: async address => void did.links.push(address),
    saveFile: async file => {
      if (runs) did.files.push(file);
      return runs;
    },
    draft: text => void did.drafts.push(text),
    addContext: text => void did.contexts.push(text),
  };
  const open = (allowed: readonly string[]) =>
    apps.open(display.app!, allowed, user, new AbortController().signal);
  const app = await open(hosts);
  const ask = async (method: string, params: object = {}) =>
    JSON.parse((await app.take(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))!);
  return { app, did, ask, open, apps };
}

const declared = ['https://api.board.example', 'https://cdn.board.example'];

describe('a tool with a page', () => {
  test('is announced only by a window, and so is its page kept', async () => {
    const window = await serve();
    expect((await call(window, 'whoami')).text).toContain('io.modelcontextprotocol/ui');
    const saved = new Map<string, string>();
    const { text, display } = await call(window, 'show_board', { city: 'Oslo' }, saved);
    expect(display.app).toEqual({ server: 'board', uri: 'ui://board', path: '/outputs/show_board.json' });
    expect(text).toContain('show_board done');
    expect(JSON.parse(saved.get('/outputs/show_board.json')!)).toMatchObject({
      arguments: { city: 'Oslo' },
      result: { structuredContent: { name: 'show_board', open: 3 } },
    });
    expect((await call(window, 'show_old')).display.app?.uri).toBe('ui://board');
    expect((await call(window, 'show_file')).display.app).toBeUndefined();

    const headless = await serve({});
    expect((await call(headless, 'whoami')).text).not.toContain('io.modelcontextprotocol/ui');
    expect((await call(headless, 'show_board')).display.app).toBeUndefined();
  });

  test('may be for pages alone: the model is not told of it', async () => {
    const names = (await serve()).tools().map(({ name }) => name);
    expect(names).toContain('mcp_board_only_model');
    expect(names).not.toContain('mcp_board_move_ticket');
  });
});

describe('a page', () => {
  test('is served to nobody who does not know its address, and leads nowhere', async () => {
    const { app } = await openApp(await serve());
    const frame = await fetch(app.address);
    const inner = `${app.address}page`;
    expect(frame.headers.get('content-security-policy')).toMatch(
      new RegExp(`^default-src 'none'; .*frame-src ${inner};.* sandbox allow-scripts$`),
    );
    const page = await fetch(inner);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*connect-src 'none'.*sandbox allow-scripts$/,
    );
    expect(page.headers.get('content-security-policy')).not.toContain('example');
    expect(await page.text()).toContain('Board of');
    const { origin } = new URL(app.address);
    for (const other of ['/', '/page', `/${'a'.repeat(32)}/`, `${new URL(inner).pathname}/../..`])
      expect((await fetch(origin + other)).status).toBe(404);
    expect((await fetch(inner, { method: 'POST' })).status).toBe(404);
    app.close();
    expect((await fetch(inner)).status).toBe(404);
  });

  test.each(['show_board', 'show_listed'])(
    'reaches what %s declares once the user has let it, and nothing else',
    async name => {
      const { app, open } = await openApp(await serve(), name);
      expect([app.hosts, app.isGranted]).toEqual([declared, false]);
      const some = await open(declared.slice(1));
      expect(some.isGranted).toBe(false);
      const all = await open(declared);
      expect(all.isGranted).toBe(true);
      const policy = (await fetch(`${all.address}page`)).headers.get('content-security-policy');
      expect(policy).toContain('connect-src https://api.board.example;');
      expect(policy).toContain("script-src 'unsafe-inline' https://cdn.board.example;");
      expect(policy).not.toMatch(/localhost|x\.example|\*/);
      expect((await open([])).isGranted).toBe(true);
    },
  );

  test('is told which tool it is of, and which policy counts at present', async () => {
    const { app, open } = await openApp(await serve());
    expect(app.given.tool).toMatchObject({ name: 'show_board', inputSchema: { type: 'object' } });
    expect(app.csp).toEqual({ connectDomains: [], resourceDomains: [] });
    const [connects, loads] = declared;
    expect((await open(declared)).csp).toEqual({ connectDomains: [connects], resourceDomains: [loads] });
  });

  test('of a call of an earlier version, or of a tool that is gone, is told of no tool', async () => {
    const world = await serve();
    const user = {} as AppHost;
    for (const tool of [undefined, 'gone', 7]) {
      const text = JSON.stringify({ tool, arguments: {}, result: {} });
      const apps = new McpAppPages(
        () => world.servers,
        { readText: async () => ({ text }) as never },
        world.clock,
      );
      onTestFinished(() => apps.dispose());
      const kept = { server: 'board', uri: 'ui://board', path: '/outputs/a.json' };
      const { given } = await apps.open(kept, [], user, new AbortController().signal);
      expect(given).toEqual({ tool: undefined, arguments: {}, result: {} });
    }
  });

  test('that is none, or is switched off, says why', async () => {
    await expect(openApp(await serve(), 'show_nothing')).rejects.toThrow(
      'The server board returned no page.',
    );
    let isOn = true;
    const world = await serve({ showsApps: () => isOn });
    const { open } = await openApp(world);
    isOn = false;
    await expect(open([])).rejects.toThrow('Pages of servers are disabled.');
  });

  test('calls tools of its own server through the user, and gets what the server answers', async () => {
    const { ask, did } = await openApp(await serve());
    const answer = await ask('tools/call', { name: 'move_ticket', arguments: { ticket: 7 } });
    expect(answer).toMatchObject({
      id: 1,
      result: { structuredContent: { name: 'move_ticket', given: { ticket: 7 } } },
    });
    const [[tool, args]] = did.calls as [Did['calls'][number]];
    expect([tool.name, tool.of, args]).toMatchObject([
      'mcp_board_move_ticket',
      { server: 'board' },
      { ticket: 7 },
    ]);
    for (const name of ['only_model', 'mcp_other_show_board', 'run_shell_command', undefined])
      expect(await ask('tools/call', { name })).toMatchObject({ error: { code: -32_000 } });
    expect(did.calls).toHaveLength(1);
  });

  test('reads resources of its own server, within the same number, and is told of what it lacks', async () => {
    const { ask, did } = await openApp(await serve());
    const read = await ask('resources/read', { uri: 'ui://board' });
    expect(read.result.contents).toMatchObject([{ uri: 'ui://board', text: expect.stringContaining('<') }]);
    expect((await ask('resources/read', { uri: 'ui://nowhere' })).error).toMatchObject({ code: -32_602 });
    expect((await ask('resources/read')).error.message).toBe('There is no address.');
    for (let read = 0; read < 28; read++) await ask('resources/read', { uri: 'ui://board' });
    expect((await ask('resources/read', { uri: 'ui://board' })).error.message).toContain('too many');
    expect(did).toEqual({ calls: [], links: [], files: [], drafts: [], contexts: [] });
  });

  test('gets a refusal for a call that was not carried out, and cannot make too many', async () => {
    const { ask, did } = await openApp(await serve(), 'show_board', [], false);
    for (let at = 0; at < 30; at++)
      expect((await ask('tools/call', { name: 'move_ticket' })).error.message).toContain(
        'was not carried out',
      );
    expect((await ask('tools/call', { name: 'move_ticket' })).error.message).toContain('too many');
    expect(did.calls).toHaveLength(30);
  });

  test('puts words into the prompt, asks for links, and gets an error for what it cannot have', async () => {
    const { app, ask, did } = await openApp(await serve());
    expect(
      await ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'Close it' }] }),
    ).toMatchObject({ result: {} });
    expect(await ask('ui/message', { content: { type: 'text', text: 'y'.repeat(9_000) } })).toMatchObject({
      result: {},
    });
    expect(await ask('ui/message', { content: [{ type: 'image', data: '' }] })).toHaveProperty('error');
    expect(did.drafts.map(({ length }) => length)).toEqual([8, 4_000]);
    await ask('ui/open-link', { url: 'https://docs.board.example/7' });
    expect(did.links).toEqual(['https://docs.board.example/7']);
    for (const method of ['prompts/list', 'sampling/createMessage', 'constructor'])
      expect(await ask(method)).toMatchObject({ error: { code: -32_601 } });
    for (const text of [
      '',
      '[]',
      'null',
      '{"id":1}',
      '{"jsonrpc":"2.0","method":"notifications/message"}',
      `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
    ])
      expect(await app.take(text)).toBeUndefined();
  });
});

test('a page adds text to the next prompt, bounded and without hidden characters, and nothing but text', async () => {
  const { ask, did } = await openApp(await serve());
  const add = (params: object) => ask('ui/update-model-context', params);
  const text = (words: string) => ({ type: 'text', text: words });
  const state = { content: [text('Ticket 7'), text('is\u202e open')], structuredContent: { ticket: 7 } };
  expect(await add(state)).toMatchObject({ result: {} });
  expect(await add({})).toMatchObject({ result: {} });
  expect(await add({ content: [text('y'.repeat(9_000))] })).toMatchObject({ result: {} });
  for (const content of [[text('Picture:'), { type: 'image', data: '' }], [null], 'words'])
    expect((await add({ content })).error.message).toBe('You can only attach text to a prompt.');
  expect(did.contexts).toEqual([
    'Ticket 7\n\nis  open\n\n{"ticket":7}',
    '',
    `${'y'.repeat(800)}\n… 5000 characters left out …\n${'y'.repeat(3_200)}`,
  ]);
});

describe('a call of a page', () => {
  const of = { kind: 'mcp', server: 'board', tool: 'move_ticket' } as const;
  const start = (mode: 'default' | 'plan') => {
    const ran: unknown[] = [];
    const tool = defineTool<unknown, undefined>({
      name: 'mcp_board_move_ticket',
      description: 'Moves a ticket',
      input: () => z.unknown(),
      effect: 'run',
      of,
      title: () => 'board: move_ticket',
      prepare: async () => ({ plan: undefined, target: of }),
      run: async args => {
        ran.push(args);
        return { text: 'moved', display: { summary: () => 'moved' } };
      },
    });
    const { session, model, events } = makeWorld({
      answers: ['Hello.', 'Yes.'].map(text => ({ parts: [{ kind: 'text', text }] })),
      mode,
    });
    const deed = 'a page of the server board, which they see, called its tool move_ticket';
    const call = () =>
      session.runOwnCall('Page of the server board: move_ticket', {
        tool,
        args: { ticket: 7 },
        deed,
        by: 'page',
      });
    return { session, model, events, call, ran };
  };
  const answer = (session: Session, decision: Decision) =>
    onEmitted(session, event => {
      if (event.type === 'call.asked')
        setImmediate(() => session.decide(event.callId, { ...decision, askId: event.ask.id }));
    });

  test.each([
    [{ kind: 'once' }, 1, 'ok'],
    [{ kind: 'deny' }, 0, 'denied'],
  ] as const)(
    'asks as one of the agent does, and is journaled as one: %j',
    async (decision, runs, outcome) => {
      const { session, model, events, call, ran } = start('default');
      await session.send('Hello');
      answer(session, decision);
      expect(await call()).toEqual({ kind: 'rested' });
      expect(ran).toHaveLength(runs);
      expect(events.filter(({ type }) => type.startsWith('call.')).map(({ type }) => type)).toContain(
        'call.asked',
      );
      expect(events.findLast(({ type }) => type === 'call.ended')).toMatchObject({ outcome });
      await session.send('Done?');
      const { messages } = model.requests.at(-1)!;
      expect(historyFaults(messages)).toEqual([]);
      expect(JSON.stringify(messages)).toContain(
        'a page of the server board, which they see, called its tool move_ticket',
      );
      expect(JSON.stringify(messages)).not.toContain('moved');
    },
  );

  test('does nothing where the agent may only plan', async () => {
    const { call, ran, events } = start('plan');
    await call();
    expect(ran).toEqual([]);
    expect(events.findLast(({ type }) => type === 'call.ended')).toMatchObject({ outcome: 'denied' });
  });
});

test('a page keeps its type, and Escape leads out of it', () => {
  expect(pageDocument({ html: ' <!DOCTYPE html><p>a' })).toMatch(
    /^ <!DOCTYPE html><script>.*Escape.*<\/script><p>a$/,
  );
  expect(pageDocument({ html: '<p>a' })).toMatch(/^<!doctype html><script>/);
});

test('a policy names each source once, and none that was not granted', () => {
  expect(contentSecurityPolicy({ connects: [], loads: [] })).toBe(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'; sandbox allow-scripts",
  );
});

describe('a file that a page offers', () => {
  const embedded = (uri: string, more: object = { text: 'a,b\n' }) => ({
    type: 'resource',
    resource: { uri, mimeType: 'text/csv', ...more },
  });

  test('is saved by the user, with its content, kind and a bare name', async () => {
    const { ask, did } = await openApp(await serve());
    const contents = [
      embedded('file:///report%20of%20May.csv'),
      embedded('x://a', { blob: Buffer.from([0, 255]).toString('base64') }),
      { type: 'resource_link', uri: 'ui://board', name: 'board.html', mimeType: 'text/html' },
    ];
    expect((await ask('ui/download-file', { contents })).result).toEqual({});
    expect(did.files.map(({ name, mimeType, bytes }) => [name, mimeType, bytes.length > 3])).toEqual([
      ['report of May.csv', 'text/csv', true],
      ['a', 'text/csv', false],
      ['board.html', 'text/html', true],
    ]);
    expect(Buffer.from(did.files[0]!.bytes).toString()).toBe('a,b\n');
  });

  test('that the user does not want is no error of the page', async () => {
    const { ask } = await openApp(await serve(), 'show_board', [], false);
    const { result } = await ask('ui/download-file', { contents: [embedded('x://a.csv')] });
    expect(result).toEqual({ isError: true });
  });

  test.each([
    ['file:///../../.bashrc', 'bashrc'],
    ['file:///a/..%2F..%2F.ssh%2Fauthorized_keys', 'authorized_keys'],
    ['C:\\Windows\\system32\\CON', 'download'],
    ['x://a/', 'download'],
    ['x://a/~/$HOME.sh', 'HOME.sh'],
    ['x://a/invoice\u202Efdp.exe', 'invoice fdp.exe'],
    ['x://a/%00%0Ab.txt', 'b.txt'],
    [`x://a/${'long'.repeat(100)}.json`, `${'long'.repeat(24).slice(0, 95)}.json`],
  ])('named %s is %s to the user', async (uri, name) => {
    const { ask, did } = await openApp(await serve());
    await ask('ui/download-file', { contents: [embedded(uri)] });
    expect(did.files.map(each => each.name)).toEqual([name]);
  });

  test('is nothing of the web, nothing that is missing, and never many or large', async () => {
    const { ask, did } = await openApp(await serve());
    const refused = async (...contents: readonly object[]) =>
      (await ask('ui/download-file', { contents })).error;
    const link = (uri: string) => ({ type: 'resource_link', uri, name: 'x' });
    expect(await refused(link('https://example.com/x'))).toBeDefined();
    expect(await refused(link('ui://nowhere'))).toBeDefined();
    expect(await refused()).toBeDefined();
    expect(await refused(embedded('x://a', { text: 7 }))).toBeDefined();
    expect(await refused(embedded('x://a', { text: 'x'.repeat(20_000_001) }))).toBeDefined();
    expect(await refused(...Array.from({ length: 5 }, () => embedded('x://a')))).toBeDefined();
    expect(did.files).toEqual([]);
  });
});

test('a page finds the resources of its own server', async () => {
  const { ask } = await openApp(await serve());
  const { result } = await ask('resources/list');
  expect(result.resources).toMatchObject([{ uri: 'ui://listed' }]);
  expect((await ask('resources/templates/list')).result.resourceTemplates).toEqual([]);
});
