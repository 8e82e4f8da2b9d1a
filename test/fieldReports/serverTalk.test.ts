import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTest } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface TalkCase extends WorldCase {
  /** JavaScript of the server, before it answers. */
  readonly change: string;
}

const answer = (result: string) => `onCall = m => send({ id: m.id, result: ${result} });`;
const cases: readonly TalkCase[] = [
  {
    title: 'answers in a list of messages',
    source: 'service',
    change: 'write = m => print(JSON.stringify([m]));',
  },
  {
    title: 'greets before that list',
    source: 'report',
    change: "write = m => print('Ready ' + JSON.stringify([m]));",
  },
  {
    title: 'logs objects',
    source: 'report',
    change: `print('{"level":"info"}'); write = m => print('{"level":"info"}\\n' + JSON.stringify(m));`,
  },
  {
    title: 'frames its messages by length',
    source: 'report',
    change: "write = m => print('Content-Length: 9\\r\\n\\r\\n' + JSON.stringify(m));",
  },
  {
    title: 'gives ids back as texts',
    source: 'report',
    change: 'write = m => print(JSON.stringify({ ...m, id: String(m.id) }));',
  },
  { title: 'answers with a text for a list', source: 'report', change: answer("{ content: 'PONG' }") },
  {
    title: 'answers with a block for a list',
    source: 'report',
    change: answer("{ content: { type: 'text', text: 'PONG' } }"),
  },
  { title: 'answers with texts for blocks', source: 'report', change: answer("{ content: [null, 'PONG'] }") },
  {
    title: 'answers as in the first protocol',
    source: 'service',
    change: answer("{ toolResult: { a: 'PONG' } }"),
  },
  {
    title: 'answers with structured content alone',
    source: 'report',
    change: answer("{ structuredContent: { a: 'PONG' } }"),
  },
  {
    title: 'answers with half a character',
    source: 'report',
    change: answer("{ content: [{ type: 'text', text: 'PONG \\ud83d' }] }"),
  },
  {
    title: 'declares prompts and resources that it does not have',
    source: 'trial',
    change: 'capabilities = { tools: {}, prompts: {}, resources: {} };',
  },
];

const server = (change: string) => `
const print = text => process.stdout.write(text + '\\n');
let write = m => print(JSON.stringify(m));
const send = m => write({ jsonrpc: '2.0', ...m });
const serverInfo = { name: 's', version: '1' };
let capabilities = { tools: {} };
let onCall = m => send({ id: m.id, result: { content: [{ type: 'text', text: 'PONG' }] } });
${change}
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const m = JSON.parse(line);
  const init = { protocolVersion: '2025-03-26', capabilities, serverInfo };
  if (m.method === 'initialize') send({ id: m.id, result: init });
  else if (m.method === 'tools/list') send({ id: m.id, result: { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] } });
  else if (m.method === 'tools/call') onCall(m);
  else if (m.id !== undefined) send({ id: m.id, error: { code: -32601, message: 'Method not found' } });
});
`;

const failure = (error: string) => `onCall = m => send({ id: m.id, error: ${error} });`;
const failures: readonly TalkCase[] = [
  { title: 'as the protocol says', source: 'trial', change: failure("{ code: -32000, message: 'PONG' }") },
  { title: 'with a text for a code', source: 'trial', change: failure("{ code: 'E1', message: 'PONG' }") },
  { title: 'without a code', source: 'trial', change: failure("{ message: 'PONG' }") },
  { title: 'with a text', source: 'trial', change: failure("'PONG'") },
  { title: 'with an object of its own', source: 'trial', change: failure("{ detail: ['PONG'] }") },
];

const broken: readonly (TalkCase & { readonly wrong: string })[] = [
  {
    title: 'without capabilities',
    source: 'report',
    change: 'capabilities = undefined;',
    wrong: '"capabilities"',
  },
  {
    title: 'with a list of capabilities',
    source: 'report',
    change: "capabilities = ['tools'];",
    wrong: '"capabilities"',
  },
  {
    title: 'without a version of its own',
    source: 'report',
    change: 'delete serverInfo.version;',
    wrong: '"serverInfo.version"',
  },
];

describe('a server that', () => {
  const world = eachTest(() => HeadlessWorld.make());

  it.each(cases)('$title is understood', async ({ change }) => {
    expect((await callIt(change))?.output).toContain('PONG');
  });

  it.each(failures)('fails a call $title is heard', async ({ change }) => {
    expect((await callIt(change))?.error).toContain('PONG');
  });

  it.each(broken)('greets $title is named with what is wrong', async ({ change, wrong }) => {
    await prepare(change);
    const { error } = await world.run(['--prompt', '/mcp list', '--server-start', '20'], { env: home() });
    expect(error).toContain(`The server s does not run: It did not start: its answer does not follow`);
    expect(error).toContain(wrong);
    expect(error).not.toMatch(/[[{]/);
  });

  const home = () => {
    const path = join(world.folder, 'home');
    return { HOME: path, USERPROFILE: path };
  };

  async function prepare(change: string) {
    const settings = join(home().HOME, '.gemini');
    const program = join(world.folder, 'server.cjs');
    await mkdir(settings, { recursive: true });
    await writeFile(program, server(change));
    const entry = { command: process.execPath, args: [program], trust: true };
    await writeFile(join(settings, 'settings.json'), JSON.stringify({ mcpServers: { s: entry } }));
  }

  async function callIt(change: string) {
    await prepare(change);
    world.server.script([call('mcp_s_ping', {})], [text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--server-start', '20'], {
      env: home(),
    });
    expect(code, error).toBe(0);
    return lastResults(world.server.requests[1]!)[0];
  }
});
