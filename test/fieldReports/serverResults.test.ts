import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allTests } from '../support/eachTest.ts';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { HeadlessWorld } from '../support/headlessWorld.ts';
import type { WorldCase } from './report.ts';

interface ResultCase extends WorldCase {
  /** The tool that gives it. */
  readonly tool: string;
  readonly result: unknown;
  /** What the model reads of it. */
  readonly read: RegExp;
}

const blob = Buffer.from('tide').toString('base64');

const cases: readonly ResultCase[] = [
  {
    title: 'structured content beside a short text',
    source: 'report',
    tool: 'structured',
    result: { content: [{ type: 'text', text: 'See there.' }], structuredContent: { rows: 3 } },
    read: /rows/,
  },
  {
    title: 'structured content alone',
    source: 'report',
    tool: 'alone',
    result: { content: [], structuredContent: { rows: 4 } },
    read: /rows/,
  },
  {
    title: 'a link to a resource',
    source: 'report',
    tool: 'link',
    result: {
      content: [{ type: 'resource_link', uri: 'reports://q3', name: 'q3', description: 'Third quarter' }],
    },
    read: /reports:\/\/q3/,
  },
  {
    title: 'a resource with text',
    source: 'report',
    tool: 'embedded',
    result: {
      content: [{ type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'low tide' } }],
    },
    read: /low tide/,
  },
  {
    title: 'a resource of bytes that are text',
    source: 'report',
    tool: 'bytes',
    result: {
      content: [{ type: 'resource', resource: { uri: 'a://c', mimeType: 'application/zip', blob } }],
    },
    read: /a:\/\/c|zip/,
  },
  {
    title: 'an error without a word',
    source: 'report',
    tool: 'mute',
    result: { isError: true, content: [] },
    read: /./,
  },
  { title: 'no content at all', source: 'report', tool: 'none', result: {}, read: /./ },
  {
    title: 'a kind of content that nobody knows',
    source: 'report',
    tool: 'strange',
    result: {
      content: [
        { type: 'hologram', data: 'x' },
        { type: 'text', text: 'and text' },
      ],
    },
    read: /and text|could not be read|not valid|Invalid/i,
  },
  {
    title: 'an error of the protocol',
    source: 'report',
    tool: 'refused',
    result: undefined,
    read: /no such thing/,
  },
  {
    title: 'a text of control characters',
    source: 'report',
    tool: 'control',
    result: { content: [{ type: 'text', text: 'a\u0000b\u001b[31mc' }] },
    read: /a.*b.*c/s,
  },
];

/** Speaks the protocol line by line, and prints what does not belong there. */
const server = `
const results = ${JSON.stringify(Object.fromEntries(cases.map(({ tool, result }) => [tool, result ?? null])))};
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
process.stdout.write('Starting server…\\n\\n');
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'odd', version: '1' } } });
  if (method === 'tools/list')
    return send({ id, result: { tools: Object.keys(results).map(name => ({ name, description: name, inputSchema: { type: 'object' } })) } });
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'no method' } });
  console.log('DEBUG calling ' + params.name);
  send({ method: 'notifications/tools/list_changed' });
  send({ method: 'notifications/unknown', params: {} });
  const result = results[params.name];
  send(result === null ? { id, error: { code: -32000, message: 'no such thing' } } : { id, result });
});
`;

describe('a tool of a server that prints into its own protocol gives', () => {
  const world = allTests(() => HeadlessWorld.make());
  let found: readonly string[];
  beforeAll(async () => {
    const home = join(world.folder, 'home');
    await mkdir(join(home, '.gemini'), { recursive: true });
    const file = join(world.folder, 'server.cjs');
    await writeFile(file, server);
    const mcpServers = { odd: { command: process.execPath, args: [file], trust: true } };
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ mcpServers }));
    for (const { tool } of cases) world.server.script([call(`mcp_odd_${tool}`, {})]);
    world.server.script([text('Done.')]);
    const { code, error } = await world.run(['--prompt', 'go', '--server-start', '240'], {
      env: { HOME: home, USERPROFILE: home },
    });
    expect(code, error).toBe(0);
    const results = world.server.requests.slice(1).map(request => lastResults(request)[0]);
    found = results.map(result => result?.output ?? result?.error ?? '');
  });

  it.each(cases.map((each, at) => ({ ...each, at })))('$title', ({ at, read }) => {
    expect(found[at]).toMatch(read);
  });
});
