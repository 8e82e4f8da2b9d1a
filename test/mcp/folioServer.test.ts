/* Folio at the other end: what other agents may read of it and have it do. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { headlessEntry } from '../support/headlessProgram.ts';
import { runHeadless } from '../support/headlessRun.ts';
import { processesIn } from '../support/processesIn.ts';
import { RecordingCall } from '../support/recordingCall.ts';
import { FolioServer } from './support/folioServer.ts';
import { mcpWorld } from './support/mcpWorld.ts';

const folio = eachTest(() => FolioServer.make());

const key = `AIza${'b'.repeat(35)}`;

/** A session of the user's with a chapter, an edit and a secret. */
async function workBefore(workspace = folio.workspace): Promise<void> {
  await writeFile(join(workspace, 'notes.txt'), 'one\ntwo\n');
  folio.model.script(
    [call('create_new_topic', { title: 'Changing', summary: 'The notes change.' })],
    [call('replace', { file_path: 'notes.txt', instruction: 'x', old_string: 'two', new_string: 'three' })],
    [text(`Changed with ${key}.`)],
  );
  const { args, env } = folio;
  const at = args.call(folio, '--approval-mode', 'autoEdit', '--prompt', 'Change the notes').slice(1);
  const { code, error } = await runHeadless({ args: [...at, '--workspace', workspace], env });
  expect({ code, error }).toEqual({ code: 0, error: '' });
}

async function use(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await use(client, name, args);
  const said = content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
  expect({ said, isError: isError ?? false }).toMatchObject({ isError: false });
  return said;
}

const idIn = (listed: string): string => /"id": ?"([^"]+)"/.exec(listed)?.[1] ?? '';

describe.each(['legacy', 'auto'] as const)('to a client of the era %s', era => {
  test('nothing is offered until the user allows it', async () => {
    const client = await folio.connectOwn(era);
    expect(client.getServerCapabilities()?.tools).toBeUndefined();
    expect(client.getInstructions()).toContain('--mcp-allow read');
    await expect(use(client, 'list_sessions')).rejects.toThrow();
  });

  test('sessions, chapters and changes in review are there to read, without secrets', async () => {
    await workBefore();
    const client = await folio.connect(era, '--mcp-allow', 'read');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_sessions', 'read_chapter', 'review_state']);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);

    const session = idIn(await textOf(client, 'list_sessions', { query: 'notes' }));
    expect(await textOf(client, 'list_sessions', { query: 'elsewhere' })).toBe('[]');
    expect(await textOf(client, 'read_chapter', { session })).toMatch(
      /The notes change[\s\S]*\n1\. Changing — 1 file/,
    );
    const chapter = await textOf(client, 'read_chapter', { session, chapter: 1 });
    expect(chapter).toContain('-two\n  +three');
    expect(chapter).toContain('Changed with');
    expect(chapter).not.toContain(key);
    expect(await textOf(client, 'read_chapter', { session, chapter: 1, from: chapter.length })).toBe('');
    const reviews = await textOf(client, 'review_state', { session });
    expect(reviews).toMatch(/modified notes\.txt\n@@ line 2, pending, by .*\n[\s\S]*-two\n\+three/);

    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: `folio://sessions/${session}`, name: 'Change the notes' }]);
    const read = await client.readResource({ uri: `folio://sessions/${session}/chapters/1` });
    expect(read.contents).toMatchObject([{ mimeType: 'text/markdown', text: chapter }]);
  });

  test('a prompt is worked on, with progress, and its session continues after a restart', async () => {
    await writeFile(join(folio.workspace, 'a.txt'), 'one\n');
    folio.model.script(
      [call('read_file', { file_path: 'a.txt' })],
      [call('write_file', { file_path: 'b.txt', content: 'two\n' })],
      [call('run_shell_command', { command: 'touch made' })],
      [text(`It says one, and ${key}.`)],
    );
    const lines: string[] = [];
    const first = await folio.connect(era, '--mcp-allow', 'run', '--approval-mode', 'autoEdit');
    const onprogress = ({ message = '' }: { message?: string }) => void lines.push(message);
    const asked = { name: 'ask_folio', arguments: { prompt: 'Read a, write b' } };
    const { structuredContent } = (await first.callTool(asked, { onprogress })) as CallToolResult;
    expect(structuredContent).toMatchObject({
      end: 'rested',
      answer: expect.stringContaining('It says one'),
      changed: ['b.txt'],
      denied: [expect.stringContaining('touch made')],
    });
    expect(JSON.stringify(structuredContent)).not.toContain(key);
    expect(lines[0]).toMatch(/^Session /);
    expect(lines.join('\n')).toContain('a.txt');
    expect(await readFile(join(folio.workspace, 'b.txt'), 'utf8')).toBe('two\n');
    await first.close();

    const { session } = structuredContent as { session: string };
    folio.model.script([text('Still here.')]);
    const second = await folio.connect(era, '--mcp-allow', 'run');
    expect(await textOf(second, 'ask_folio', { prompt: 'And now?', session })).toContain('Still here.');
    expect(JSON.stringify(folio.model.requests.at(-1)!.body.contents)).toContain('Read a, write b');
  });

  test('a request that is cancelled stops its turn, and the server goes on', async () => {
    folio.model.script([hang]);
    const client = await folio.connect(era, '--mcp-allow', 'run');
    const stop = new AbortController();
    const asked = { name: 'ask_folio', arguments: { prompt: 'Wait' } };
    const waiting = client.callTool(asked, { signal: stop.signal });
    await expect.poll(() => folio.model.requests.length).toBe(1);
    stop.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => folio.model.requests[0]!.signal.aborted).toBe(true);
    folio.model.script([text('Here.')]);
    expect(await textOf(client, 'ask_folio', { prompt: 'Again' })).toContain('Here.');
  });
});

describe('what a client cannot do', () => {
  test('sessions and folders outside are not there, in the same words as those that never were', async () => {
    const other = join(folio.folder, 'other');
    await mkdir(other);
    await workBefore(other);
    const everywhere = await folio.connect('auto', '--mcp-allow', 'read', '--include-directories', other);
    const session = idIn(await textOf(everywhere, 'list_sessions'));
    expect(session).not.toBe('');

    const client = await folio.connect('auto', '--mcp-allow', 'run');
    expect(await textOf(client, 'list_sessions')).toBe('[]');
    const missing = (id: string) => `There is no session ${id} of these folders.`;
    for (const id of [session, 'never', '../sessions', '', 'a/b']) {
      expect(await use(client, 'read_chapter', { session: id, chapter: 1 })).toMatchObject({
        isError: true,
        content: [{ text: missing(id) }],
      });
    }
    await expect(client.readResource({ uri: `folio://sessions/${session}` })).rejects.toThrow(
      missing(session),
    );
    for (const folder of [other, '..', '/', 'missing']) {
      const refused = await use(client, 'ask_folio', { prompt: 'x', folder });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('is no folder') }],
      });
    }
    const resumed = await use(client, 'ask_folio', { prompt: 'x', session });
    expect(resumed).toMatchObject({ isError: true });
    expect(folio.model.requests).toHaveLength(3);
  });

  test('no mode beyond the user’s, and no slash command', async () => {
    const client = await folio.connect('auto', '--mcp-allow', 'run');
    for (const mode of ['autoEdit', 'yolo']) {
      const refused = await use(client, 'ask_folio', { prompt: 'x', mode });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('goes beyond') }],
      });
    }
    expect(folio.model.requests).toEqual([]);
    folio.model.script([text('No.')]);
    await textOf(client, 'ask_folio', { prompt: '/mcp add x touch made', mode: 'plan' });
    expect(JSON.stringify(folio.model.requests[0]!.body.contents)).toContain('/mcp add x touch made');
  });

  test('what a prompt names outside of the folders is not read', async () => {
    await writeFile(join(folio.folder, 'outside.txt'), 'a secret of the user');
    const client = await folio.connect('auto', '--mcp-allow', 'run');
    folio.model.script([text('No.')]);
    await textOf(client, 'ask_folio', {
      prompt: `Show @${join(folio.folder, 'outside.txt')} and @../outside.txt`,
    });
    expect(JSON.stringify(folio.model.requests[0]!.body)).not.toContain('a secret of the user');
  });

  test('an earlier session that had a wider mode has the user’s', async () => {
    folio.model.script([text('Hello.')]);
    const wide = await folio.connect('auto', '--mcp-allow', 'run', '--approval-mode', 'yolo');
    const { structuredContent } = await use(wide, 'ask_folio', { prompt: 'Hello' });
    await wide.close();
    const { session } = structuredContent as { session: string };
    const client = await folio.connect('auto', '--mcp-allow', 'run');
    folio.model.script([call('run_shell_command', { command: 'touch made' })], [text('Then not.')]);
    const after = await use(client, 'ask_folio', { prompt: 'Touch it', session });
    expect(after.structuredContent).toMatchObject({ denied: [expect.stringContaining('touch made')] });
  });

  test('a run whose servers are Folio again starts no others', async () => {
    const { env } = folio;
    const world = await mcpWorld();
    onTestFinished(() => world.end());
    const args = [headlessEntry, ...folio.args('--mcp-allow', 'run')];
    world.set({ peer: { command: process.execPath, args, env: { ...env, FOLIO_INSIDE_OF_RUN: '1' } } });
    await world.until('peer', 'ready');
    expect(world.tools().map(({ name }) => name)).not.toContain('mcp_peer_ask_folio');
    expect(world.tools().map(({ name }) => name)).toContain('mcp_peer_list_sessions');
  });
});

test('Folio’s own client uses it as any other server', async () => {
  await workBefore();
  const world = await mcpWorld();
  const own = await RecordingCall.make();
  try {
    const args = [headlessEntry, ...folio.args('--mcp-allow', 'run')];
    world.set({ peer: { command: process.execPath, args, env: folio.env } });
    await world.until('peer', 'ready');
    const listed = await own.use(world.tool('mcp_peer_list_sessions'), {});
    expect(listed.text).toContain('Change the notes');
    folio.model.script([text('Hello to the other one.')]);
    const asked = await own.use(world.tool('mcp_peer_ask_folio'), { prompt: 'Hello' });
    expect(asked.text).toContain('Hello to the other one.');
  } finally {
    await own.dispose();
    await world.end();
  }
});

describe('the pipe', () => {
  test('has nothing but messages, whatever comes in', async () => {
    const program = folio.start('--mcp-allow', 'read');
    const lines: string[] = [];
    createInterface({ input: program.stdout }).on('line', line => void lines.push(line));
    const garbage = [
      'not json',
      '{"jsonrpc":"2.0"}',
      '[]',
      'null',
      '\u0000\ufffd',
      '{"id":1,"method":7}',
      '',
    ];
    program.stdin.write(`${garbage.join('\n')}\n`);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'initialize', params })}\n`);
    await expect.poll(() => lines.join('\n')).toContain('"id":5');
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 6, method: 'no/such' })}\n`);
    await expect.poll(() => lines.join('\n')).toContain('"id":6');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    program.stdin.end();
    expect(await program.exit).toBe(0);
  });

  test('that closes in the middle of a turn ends it in order, and leaves no process', async () => {
    folio.model.script([call('run_shell_command', { command: 'sleep 600' })]);
    const client = await folio.connectOwn('auto', '--mcp-allow', 'run', '--approval-mode', 'yolo');
    const waiting = client.callTool({ name: 'ask_folio', arguments: { prompt: 'Sleep' } });
    const ended = expect(waiting).rejects.toThrow();
    await expect.poll(async () => (await processesIn(folio.workspace)).join('\n')).toContain('sleep 600');
    await client.close();
    await ended;
    await expect.poll(() => processesIn(folio.folder)).toEqual([]);
    const again = await folio.connect('auto', '--mcp-allow', 'run');
    const session = idIn(await textOf(again, 'list_sessions'));
    expect(await textOf(again, 'read_chapter', { session, chapter: 0 })).toContain('sleep 600');
  });

  test('of a server that is killed leaves a session that continues', async () => {
    folio.model.script([hang]);
    const program = folio.start('--mcp-allow', 'run');
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    const asked = { name: 'ask_folio', arguments: { prompt: 'Wait' } };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: asked },
    ];
    for (const message of messages)
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await expect.poll(() => folio.model.requests.length).toBe(1);
    program.kill('SIGKILL');
    await program.exit;
    const client = await folio.connect('auto', '--mcp-allow', 'run');
    const session = idIn(await textOf(client, 'list_sessions'));
    folio.model.script([text('Back.')]);
    expect(await textOf(client, 'ask_folio', { prompt: 'Go on', session })).toContain('Back.');
  });
});

test.each([
  [['--mcp-allow', 'run'], '--mcp-allow needs --mcp'],
  [['--mcp', '--mcp-allow', 'all'], '--mcp-allow takes read, run'],
  [['--mcp', '--prompt', 'x'], 'leave out what else runs'],
  [['--mcp', '--workspace', '/'], 'name the folder of a project'],
])('%j is refused', async (args, reason) => {
  const { code, error } = await runHeadless({ args, env: folio.env });
  expect(code).toBe(2);
  expect(error).toContain(reason);
});
