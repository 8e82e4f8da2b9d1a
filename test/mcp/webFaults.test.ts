import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingCall } from '../support/recordingCall.ts';
import { type McpWorld, mcpWorld } from './support/mcpWorld.ts';
import { WebPeer } from './support/webPeer.ts';

async function reach(change: (peer: WebPeer) => void = () => {}, more: object = {}) {
  const peer = await WebPeer.start();
  onTestFinished(() => peer.end());
  change(peer);
  const world = await mcpWorld();
  onTestFinished(world.end);
  world.set({ web: { httpUrl: peer.url, ...more } });
  await world.until('web', 'ready');
  return { peer, world };
}

async function use(world: McpWorld): Promise<string> {
  const call = await RecordingCall.make();
  onTestFinished(() => call.dispose());
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
  await expect(use(world)).rejects.toThrow(/ended early/);
  peer.onCall = (_message, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"jsonrpc"');
    setTimeout(() => response.destroy(), 50);
    return true;
  };
  await expect(use(world)).rejects.toThrow(/ended early/);
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
    await expect(use(world)).rejects.toThrow(/the limit is 20\.0 MB/);
    peer.onCall = () => false;
    expect(await use(world)).toContain('done');
  },
);

test('a server that has forgotten the session is spoken to again', async () => {
  const { peer, world } = await reach(each => {
    each.session = 'one';
  });
  expect(await use(world)).toContain('done');
  peer.session = 'two';
  await expect(use(world)).rejects.toThrow(/no longer has the session/);
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
  onTestFinished(world.end);
  world.set({ web: { url, type } });
  const { host } = new URL(url);
  expect((await world.until('web', 'retrying')).status).toMatchObject({
    reason: `It cannot be reached: connect ECONNREFUSED ${host}`,
  });
});

test('an error page is named by its status', async () => {
  const { peer, world } = await reach();
  peer.onCall = (_message, response) => {
    response.writeHead(500, { 'content-type': 'text/html' });
    response.end('<h1>Trouble</h1>');
    return true;
  };
  await expect(use(world)).rejects.toThrow(/a web page answered .* \(status 500\)/);
});

const html = '<!doctype html><title>Log in</title><h1>Log in</h1>';
const page = (status: number, type: string, body: string): RequestListener => {
  return (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
};

interface Mistaken {
  readonly name: string;
  readonly answer: RequestListener;
  readonly reason: RegExp;
}

/** What stands at an address that is no MCP server's. */
const mistaken: readonly Mistaken[] = [
  {
    name: 'a page',
    answer: page(200, 'text/html; charset=utf-8', html),
    reason: /a web page answered instead of an MCP server \(status 200\)\. Check its address\./,
  },
  {
    name: 'a page that says that there is none',
    answer: page(404, 'text/html', html),
    reason: /a web page answered .*\(status 404\)/,
  },
  {
    name: 'a page of a gateway',
    answer: page(502, 'text/html', html),
    reason: /a web page answered .*\(status 502\)/,
  },
  {
    name: 'plain text',
    answer: page(200, 'text/plain', 'It works!'),
    reason: /its answer is not an MCP message \(status 200, text\/plain\)/,
  },
  {
    name: 'nothing',
    answer: (_request, response) => response.writeHead(200).end(),
    reason: /its answer is not an MCP message \(status 200, no content\)/,
  },
  {
    name: 'JSON of another service',
    answer: page(200, 'application/json', '{"status":"ok"}'),
    reason:
      /its answer (does not follow the protocol\.|is not an MCP message \(status 200, application\/json\))/,
  },
  {
    name: 'an error of another service',
    answer: page(500, 'application/json', '{"error":"no route"}'),
    reason: /its answer is not an MCP message \(status 500, application\/json\)/,
  },
  {
    name: 'a way to a login page',
    answer: (request, response) =>
      request.url === '/login'
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(html)
        : response.writeHead(302, { location: '/login' }).end(),
    reason: /its answer is not an MCP message \(status 302, no content\)/,
  },
];

interface Stranger {
  readonly name: string;
  readonly scheme: 'http' | 'https';
  /** Talks to each connection; it is a server of its own where a library opens the connection. */
  readonly talk: ((socket: Socket) => void) | Server;
  readonly reason: RegExp;
}

const noHttp =
  /^It cannot be reached: the server there does not use HTTP\. Check the port, .*https:\/\/.*\.$/;
const noTls = /^It cannot be reached: the server there does not use TLS\. Check the port, .*http:\/\/.*\.$/;
const closed = /^It cannot be reached: the connection was closed without an answer\. Check that .*\.$/;
const sshBanner = 'SSH-2.0-OpenSSH_9.6\r\n';
const whenSpokenTo = (answer: string) => (socket: Socket) =>
  void socket.once('data', () => socket.write(answer));

/** What speaks another protocol at the port of an address. */
const strangers: readonly Stranger[] = [
  { name: 'an SSH server', scheme: 'http', talk: socket => socket.write(sshBanner), reason: noHttp },
  { name: 'an echo', scheme: 'http', talk: socket => socket.pipe(socket), reason: noHttp },
  {
    name: 'a database',
    scheme: 'http',
    talk: whenSpokenTo("-ERR unknown command 'POST'\r\n"),
    reason: noHttp,
  },
  {
    name: 'a header without end',
    scheme: 'http',
    talk: whenSpokenTo(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
    reason: noHttp,
  },
  { name: 'a TLS server', scheme: 'http', talk: createTlsServer({}), reason: closed },
  { name: 'one that hangs up', scheme: 'http', talk: socket => socket.end(), reason: closed },
  { name: 'one that resets', scheme: 'http', talk: socket => socket.resetAndDestroy(), reason: closed },
  {
    name: 'a server without TLS',
    scheme: 'https',
    talk: whenSpokenTo('HTTP/1.1 400 Bad Request\r\n\r\n'),
    reason: noTls,
  },
  { name: 'an SSH server', scheme: 'https', talk: socket => socket.write(sshBanner), reason: noTls },
  { name: 'an echo', scheme: 'https', talk: socket => socket.pipe(socket), reason: noTls },
  {
    name: 'one that hangs up',
    scheme: 'https',
    talk: socket => void socket.once('data', () => socket.end()),
    reason: closed,
  },
];

for (const type of ['http', 'sse']) {
  test.each(strangers)(
    `over ${type}, $name behind $scheme is named, with what to check`,
    async ({ scheme, talk, reason }) => {
      const sockets = new Set<Socket>();
      const server = typeof talk === 'function' ? createTcpServer(talk) : talk;
      server.on('connection', socket => {
        sockets.add(socket);
        socket.on('error', () => {});
      });
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      const { port } = server.address() as AddressInfo;
      const world = await mcpWorld();
      onTestFinished(world.end);
      world.set({ web: { url: `${scheme}://127.0.0.1:${port}/mcp`, type } });
      const { status } = await world.until('web', 'retrying');
      expect((status as { reason?: string }).reason).toMatch(reason);
    },
  );
}

for (const type of ['http', 'sse']) {
  test.each(mistaken)(`over ${type}, $name in place of a server is named`, async ({ answer, reason }) => {
    const server = createServer(answer);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const world = await mcpWorld();
    onTestFinished(world.end);
    world.set({ web: { url: `http://127.0.0.1:${port}/mcp`, type } });
    const given = await Promise.race([world.until('web', 'failed'), world.until('web', 'retrying')]);
    const { reason: said } = given.status as { reason?: string };
    expect(said).toMatch(reason);
    expect(said).not.toMatch(/SSE error|has ended/);
  });
}
