/* Hosts that were granted, over the real walls: servers of this machine stand for those of others. */

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HostProxy } from '../../../src/extension/node/sandbox/hostProxy.ts';
import { SandboxWorld } from '../../support/sandboxWorld.ts';

describe.skipIf(process.platform !== 'linux')('a command that was granted a host', () => {
  let world: SandboxWorld;
  let server: Server;
  let port: number;
  let asked: string[] = [];

  beforeAll(async () => {
    world = await SandboxWorld.make([]);
    server = createServer((request, answer) => {
      asked.push(`${request.method} ${request.url}`);
      request.pipe(answer);
      if (request.method === 'GET') answer.end('hello\n');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await world?.dispose();
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
    const path = join(world.root, 'proxy');
    await proxy.listen(path);
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(path, () => socket.end(`CONNECT innocent.example:${port} HTTP/1.1\r\n\r\n`));
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

  test('ends as it would end without a network, by code and by signal', async () => {
    for (const [line, code] of [
      ['exit 7', 7],
      ['kill -TERM $$', 143],
      ['echo out; echo err >&2', 0],
    ] as const)
      expect((await world.run(line, { grants: local })).code, line).toBe(code);
  });

  test.each([
    'python3 -c "import socket;s=socket.create_connection((\'127.0.0.1\',$PORT),3);print(s.recv(99))"',
    'curl -sS --noproxy "*" http://localhost:$PORT/ http://127.0.0.1:$PORT/',
    'curl -sS http://127.0.0.1:$PORT/ http://[::1]:$PORT/ http://0.0.0.0:$PORT/ http://2130706433:$PORT/ http://0x7f.1:$PORT/',
    'curl -sS http://localhost.:$PORT/@ http://x@127.0.0.1:$PORT/ http://example.com@127.0.0.1:$PORT/',
    'curl -sS -x "$ALL_PROXY" http://127.0.0.1:$PORT/ http://127.1:$PORT/',
    'curl -sS -p -x "$http_proxy" http://127.0.0.1:$PORT/',
    'printf "CONNECT 127.0.0.1:$PORT HTTP/1.1\\r\\nHost: granted.example\\r\\n\\r\\n" | python3 -c "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(\'/run/folio-proxy.sock\');s.send(sys.stdin.buffer.read());print(s.recv(999))"',
    'printf "GET http://granted.example:80@127.0.0.1:$PORT/ HTTP/1.1\\r\\nHost: granted.example\\r\\n\\r\\n" | python3 -c "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(\'/run/folio-proxy.sock\');s.send(sys.stdin.buffer.read());print(s.recv(999))"',
    'rm -f /run/folio-proxy.sock; echo x > /run/folio-proxy.sock; cat /run/*',
    "python3 -c \"import socket;s=socket.socket();s.connect(('127.0.0.1',int('$http_proxy'.split(':')[-1])));s.send(bytes([5,1,0]));s.recv(2);s.send(bytes([5,1,0,1,127,0,0,1])+int($PORT).to_bytes(2,'big'));print(s.recv(99),s.recv(99))\"",
  ])('and has another one granted does not get to local servers: %s', async line => {
    const before = world.connections;
    const { output } = await world.run(`${line}; echo; echo tried`, {
      grants: { write: [], hosts: ['granted.example'] },
    });
    expect(output.endsWith('\ntried\n'), output).toBe(true);
    expect(output).not.toContain('CANARY');
    expect(world.connections).toBe(before);
  });
});
