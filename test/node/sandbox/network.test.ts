/* Hosts that were granted, over the real sandboxes: servers of this machine stand for those of others. */

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HostProxy } from '../../../src/extension/node/sandbox/hostProxy.ts';
import { allTests } from '../../support/eachTest.ts';
import { SandboxWorld } from '../../support/sandboxWorld.ts';

describe.skipIf(process.platform !== 'linux')('a command that was granted a host', () => {
  const world = allTests(() => SandboxWorld.make([]));
  let server: Server;
  let port: number;
  let asked: string[] = [];
  const named = new Set<string>();

  beforeAll(async () => {
    server = createServer((request, answer) => {
      asked.push(`${request.method} ${request.url}`);
      named.add(request.headers.host ?? '');
      request.pipe(answer);
      if (request.method === 'GET') answer.end('hello\n');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
  });

  const local = { write: [], hosts: ['localhost'] };

  test('reaches it by HTTP, by a tunnel and by SOCKS', async () => {
    const url = `http://localhost:${port}`;
    const lines = [
      `curl -sS ${url}/plain`,
      `curl -sS -p -x "$http_proxy" ${url}/tunnel`,
      `curl -sS --noproxy '' -x "$ALL_PROXY" ${url}/socks`,
      `curl -sS -d sent ${url}/post`,
      `python3 -c 'import urllib.request; print(urllib.request.urlopen("${url}/python").read().decode().strip())'`,
    ];
    asked = [];
    const { output, code } = await world.run(lines.join('; '), { grants: local });
    expect([output, code]).toEqual(['hello\nhello\nhello\nsenthello\n', 0]);
    expect(asked).toEqual(['GET /plain', 'GET /tunnel', 'GET /socks', 'POST /post', 'GET /python']);
  });

  test('reaches no other host, which is reported, and has no names of its own', async () => {
    asked = [];
    const line = `curl -sS http://127.0.0.1:${port}/; curl -sS -x "$ALL_PROXY" http://example.com/; getent hosts localhost.test; getent hosts example.com; echo end`;
    const { output, report } = await world.run(line, { grants: local });
    expect(output).toContain('The sandbox does not let this command connect to 127.0.0.1.');
    expect(output.endsWith('end\n')).toBe(true);
    expect([...report.hosts].sort()).toEqual(['127.0.0.1', 'example.com']);
    expect(asked).toEqual([]);
  });

  test('does not reach this machine by the granted name of another', async () => {
    const lookUp = async () => ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254'];
    const proxy = new HostProxy(['innocent.example'], { lookUp });
    const door = await proxy.listenHere();
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(door, '127.0.0.1', () =>
        socket.end(`CONNECT innocent.example:${port} HTTP/1.1\r\n\r\n`),
      );
      let text = '';
      socket
        .on('data', chunk => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    await proxy.close();
    expect(reply).toMatch(/^HTTP\/1.1 403 /);
    expect(asked).toEqual([]);
  });

  /** Says it to the proxy itself, byte for byte, and prints what comes back. */
  function say(bytes: string): string {
    const text = Buffer.from(bytes, 'latin1').toString('base64');
    return `python3 -c 'import socket,base64
s=socket.create_connection(("127.0.0.1",'"\${http_proxy##*:}"'));s.settimeout(3)
s.send(base64.b64decode("${text}"))
try:
  while d:=s.recv(9999): print(d.decode("latin1"))
except Exception as e: print(e)'`;
  }

  const ways: readonly (readonly [how: string, bytes: string])[] = [
    [
      'a second request in one connection',
      'GET http://localhost:P/ok HTTP/1.1\r\nHost: a\r\n\r\nGET http://127.0.0.1:P/bad HTTP/1.1\r\nHost: a\r\n\r\n',
    ],
    [
      'a body of two lengths',
      'POST http://localhost:P/ok HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /bad HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    ],
    [
      'a length said twice',
      'POST http://localhost:P/ok HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\nGET /bad HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    ],
    [
      'a line end in an address',
      'GET http://localhost:P/ok\nX-A:b HTTP/1.1\r\nHost: a\r\n\r\nGET http://127.0.0.1:P/bad HTTP/1.1\r\n\r\n',
    ],
    [
      'a host in a header of its own',
      'GET http://127.0.0.1:P/bad HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: localhost\r\n\r\n',
    ],
    ['a path in place of an address', 'GET /bad HTTP/1.1\r\nHost: localhost:P\r\n\r\n'],
    ['another kind of address', 'GET file:///etc/hosts HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'a tunnel to a number',
      'CONNECT 127.0.0.1:P HTTP/1.1\r\nHost: localhost:P\r\n\r\nGET /bad HTTP/1.1\r\n\r\n',
    ],
    ['a tunnel with a login', 'CONNECT localhost@127.0.0.1:P HTTP/1.1\r\n\r\nGET /bad HTTP/1.1\r\n\r\n'],
    ['a tunnel with a path', 'CONNECT 127.0.0.1:P#localhost HTTP/1.1\r\n\r\nGET /bad HTTP/1.1\r\n\r\n'],
    ['SOCKS that listens', '\x05\x01\x00\x05\x02\x00\x03\x09localhost\x00\x50'],
    ['SOCKS for datagrams', '\x05\x01\x00\x05\x03\x00\x03\x09localhost\x00\x35'],
    ['SOCKS that asks for an address', '\x05\x01\x00\x05\xf0\x00\x03\x0bexample.com\x00\x00'],
    ['SOCKS of the older kind', '\x04\x01\x00\x50\x7f\x00\x00\x01\x00'],
    ['SOCKS to a name with an end in it', '\x05\x01\x00\x05\x01\x00\x03\x13127.0.0.1\x00localhost\x00\x50'],
  ];

  test('does not get to another one by bytes of its own', async () => {
    asked = [];
    named.clear();
    const { output } = await world.run(
      sideBySide(ways.map(([how, bytes]) => [how, say(bytes.replaceAll(':P', `:${port}`))])),
      { grants: local },
    );
    expect(triedIn(output), output).toEqual(ways.map(([how]) => how).sort());
    expect(
      asked.filter(each => each.includes('bad')),
      output,
    ).toEqual([]);
    expect([...named].filter(host => host !== `localhost:${port}`)).toEqual([]);
    expect(output).not.toMatch(/\x05\x00\x00\x01|Connection established/);
  });

  test('is not led on by the answer of a granted host', async () => {
    const other = createServer((_request, answer) => {
      answer.writeHead(302, { location: `http://127.0.0.1:${port}/led` }).end();
    });
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    asked = [];
    const from = (other.address() as AddressInfo).port;
    const { output } = await world.run(`curl -sSL http://localhost:${from}/`, { grants: local });
    other.close();
    expect(output).toContain('The sandbox does not let this command connect to 127.0.0.1.');
    expect(asked).toEqual([]);
  });

  test('ends as it would end without a network, by code and by signal', async () => {
    for (const [line, code] of [
      ['exit 7', 7],
      ['kill -TERM $$', 143],
      ['echo out; echo err >&2', 0],
    ] as const)
      expect((await world.run(line, { grants: local })).code, line).toBe(code);
  });

  const tries = [
    'python3 -c "import socket;s=socket.create_connection((\'127.0.0.1\',$PORT),3);print(s.recv(99))"',
    'curl -sS --noproxy "*" http://localhost:$PORT/ http://127.0.0.1:$PORT/',
    'curl -sS http://127.0.0.1:$PORT/ http://[::1]:$PORT/ http://0.0.0.0:$PORT/ http://2130706433:$PORT/ http://0x7f.1:$PORT/',
    'curl -sS http://localhost.:$PORT/@ http://x@127.0.0.1:$PORT/ http://example.com@127.0.0.1:$PORT/',
    'curl -sS -x "$ALL_PROXY" http://127.0.0.1:$PORT/ http://127.1:$PORT/',
    'curl -sS -p -x "$http_proxy" http://127.0.0.1:$PORT/',
    'printf "CONNECT 127.0.0.1:$PORT HTTP/1.1\\r\\nHost: granted.example\\r\\n\\r\\n" | python3 -c "import socket,sys;s=socket.create_connection((\'127.0.0.1\',${http_proxy##*:}));s.send(sys.stdin.buffer.read());print(s.recv(999))"',
    'printf "GET http://granted.example:80@127.0.0.1:$PORT/ HTTP/1.1\\r\\nHost: granted.example\\r\\n\\r\\n" | python3 -c "import socket,sys;s=socket.create_connection((\'127.0.0.1\',${http_proxy##*:}));s.send(sys.stdin.buffer.read());print(s.recv(999))"',
    "python3 -c \"import socket;s=socket.socket();s.connect(('127.0.0.1',int('$http_proxy'.split(':')[-1])));s.send(bytes([5,1,0]));s.recv(2);s.send(bytes([5,1,0,1,127,0,0,1])+int($PORT).to_bytes(2,'big'));print(s.recv(99),s.recv(99))\"",
  ];

  test('and has another one granted does not get to local servers', async () => {
    const before = world.connections;
    const named = tries.map((line, at) => [String(at), line] as const);
    const grants = { write: [], hosts: ['granted.example'] };
    const { output } = await world.run(sideBySide(named), { grants });
    expect(triedIn(output), output).toEqual(named.map(([name]) => name).sort());
    expect(output).not.toContain('CANARY');
    expect(world.connections).toBe(before);
  });
});

/** Runs these lines at once, since each waits for an answer that does not come, and says of each when it has ended. */
function sideBySide(lines: readonly (readonly [name: string, line: string])[]): string {
  const started = lines.map(([name, line]) => `{ ${line}; printf '\\ntried %s\\n' '${name}'; } &`);
  return [...started, 'wait'].join('\n');
}

/** The names of lines that have ended. What another one says may come between a line break and the word. */
function triedIn(output: string): readonly string[] {
  return [...output.matchAll(/tried (.*)$/gm)].map(([, name]) => name!).sort();
}
