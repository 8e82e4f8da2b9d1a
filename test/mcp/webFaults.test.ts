import { afterEach, expect, test } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { type McpWorld, mcpWorld } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function reach(change: (peer: WebPeer) => void = () => {}, more: object = {}) {
  const peer = await WebPeer.start();
  ends.push(() => peer.end());
  change(peer);
  const world = await mcpWorld();
  ends.push(world.end);
  world.set({ web: { httpUrl: peer.url, ...more } });
  await world.until('web', 'ready');
  return { peer, world };
}

async function use(world: McpWorld): Promise<string> {
  const call = await RecordingCall.make();
  ends.push(() => call.dispose());
  return (await call.use(world.tool('mcp_web_act'), {})).text;
}

test('an answer that breaks off fails the call at once, whichever way it is sent', async () => {
  const { peer, world } = await reach();
  peer.onCall = (_message, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': wait\n\n');
    setTimeout(() => response.destroy(), 50);
    return true;
  };
  await expect(use(world)).rejects.toThrow(/broke off/);
  peer.onCall = (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"jsonrpc"');
    setTimeout(() => response.destroy(), 50);
    return true;
  };
  await expect(use(world)).rejects.toThrow(/broke off/);
  peer.onCall = () => false;
  expect(await use(world)).toContain('done');
});

test.each(['application/json', 'text/event-stream'])(
  '50 MB as %s are refused with a sentence',
  async type => {
    const { peer, world } = await reach();
    peer.onCall = ({ id }, response) => {
      const text = 'x'.repeat(50 * 1024 * 1024);
      const message = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
      response.writeHead(200, { 'content-type': type });
      response.on('error', () => {});
      response.end(type === 'application/json' ? message : `data: ${message}\n\n`);
      return true;
    };
    await expect(use(world)).rejects.toThrow(/at most 20\.0 MB are taken/);
    peer.onCall = () => false;
    expect(await use(world)).toContain('done');
  },
);

test('a server that has forgotten the session is spoken to anew', async () => {
  const { peer, world } = await reach(each => {
    each.session = 'one';
  });
  expect(await use(world)).toContain('done');
  peer.session = 'two';
  await expect(use(world)).rejects.toThrow(/forgotten the session/);
  await world.until('web', 'ready');
  expect(await use(world)).toContain('done');
});

test('a server that is gone is tried again with pauses, and the reason is told', async () => {
  const { peer, world } = await reach();
  await peer.end();
  await expect(use(world)).rejects.toThrow(/The server web is gone\. It cannot be reached/);
  expect((await world.until('web', 'retrying')).status).toMatchObject({
    reason: expect.stringMatching(/ECONNREFUSED/),
  });
});

test.each(['http', 'sse'])('one that listens nowhere is known at once by the reason, over %s', async type => {
  const peer = await WebPeer.start();
  const { url } = peer;
  await peer.end();
  const world = await mcpWorld();
  ends.push(world.end);
  world.set({ web: { url, type } });
  const { host } = new URL(url);
  expect((await world.until('web', 'retrying')).status).toMatchObject({
    reason: `It cannot be reached: connect ECONNREFUSED ${host}`,
  });
});

test('an error page is told by its status', async () => {
  const { peer, world } = await reach();
  peer.onCall = (_message, response) => {
    response.writeHead(500, { 'content-type': 'text/html' });
    response.end('<h1>Trouble</h1>');
    return true;
  };
  await expect(use(world)).rejects.toThrow(/Trouble/);
});
