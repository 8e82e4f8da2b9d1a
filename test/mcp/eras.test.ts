/*
 * How it is found out which versions a server speaks. Programs of older versions met the first question of newer clients
 * in these ways: https://github.com/modelcontextprotocol/rust-sdk/pull/1149 (silent),
 * https://github.com/modelcontextprotocol/go-sdk/issues/1177 (exits), https://github.com/QwenLM/qwen-code/pull/8992 (slow).
 */

import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { mcpWorld } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

/** A program of an older version, which meets what it does not know before the handshake in its own way. */
function older(unknown: string): object {
  const code = `
    let greeted = false;
    const send = m => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') {
        greeted = true;
        const serverInfo = { name: 'old', version: '1' };
        send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
      } else if (!greeted) { ${unknown} }
      else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'act', inputSchema: {} }] } });
      else if (method === 'tools/call') send({ id, result: { content: [{ type: 'text', text: 'done' }] } });
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown' } });
    });`;
  return { command: process.execPath, args: ['-e', code] };
}

async function callAct(entry: object): Promise<string> {
  const world = await mcpWorld();
  onTestFinished(world.end);
  world.set({ s: entry });
  await world.until('s', 'ready');
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
  return (await call.use(world.tool('mcp_s_act'), {})).text;
}

test.each([
  ['refuses it', "send({ id, error: { code: -32601, message: 'Unknown' } });"],
  ['refuses it with a code of its own', "send({ id, error: { code: -32600, message: 'Not initialized' } });"],
  ['answers with something else', 'send({ id, result: {} });'],
  ['is silent', ''],
  ['exits', 'process.exit(1);'],
])('a program that %s is spoken to as an older one', async (_how, unknown) => {
  expect(await callAct(older(unknown))).toContain('done');
});

test.each([400, 404, 405, 406, 500, 501])('so is a server over HTTP that answers %i', async status => {
  const peer = await WebPeer.start();
  onTestFinished(() => peer.end());
  peer.refuseUnknown = status;
  expect(await callAct({ httpUrl: peer.url })).toContain('done');
});

test('a program that is slow to start and speaks only newer versions is not taken for an older one', async () => {
  const program = join(import.meta.dirname, 'support/modernServer.ts');
  const code = `setTimeout(() => import(${JSON.stringify(program)}).then(m => m.serve()), 4_000)`;
  expect(await callAct({ command: process.execPath, args: ['-e', code] })).toContain('done');
});

test('a server that speaks only versions that Folio does not know says so', async () => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const error = {
        code: -32_022,
        message: 'Unsupported protocol version',
        data: { supported: ['2031-01-01'], requested: '2026-07-28' },
      };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 'server-discover-probe-1', error }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise(resolve => server.close(() => resolve())));
  const world = await mcpWorld();
  onTestFinished(world.end);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  world.set({ s: { httpUrl: `http://127.0.0.1:${port}/mcp` } });
  expect((await world.settled('s')).status).toMatchObject({
    reason: expect.stringMatching(/Unsupported protocol version/),
  });
});
