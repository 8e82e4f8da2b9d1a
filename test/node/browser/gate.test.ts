import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { BrowserProxy } from '../../../src/extension/node/browser/browserProxy.ts';
import { classifyHost } from '../../../src/extension/platform/browser/addresses.ts';

it.each([
  ['localhost', 'local'],
  ['app.localhost', 'local'],
  ['127.8.9.10', 'local'],
  ['[::1]', 'local'],
  ['169.254.169.254', 'metadata'],
  ['[::ffff:a9fe:a9fe]', 'metadata'],
  ['[fd00:ec2::254]', 'metadata'],
  ['[fe80::1]', 'metadata'],
  ['metadata.google.internal.', 'metadata'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['[fd12:3456::1]', 'private'],
  ['printer', 'private'],
  ['wiki.local', 'private'],
  ['172.32.0.1', 'public'],
  ['localhost.example.com', 'public'],
  ['example.com', 'public'],
])('%s is a place of the kind %s', (host, kind) => {
  expect(classifyHost(host)).toBe(kind);
});

it('lets only pages of this machine connect to its servers, by requests and by tunnels', async () => {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.end('read');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gate = new BrowserProxy();
  const proxy = await gate.listen();
  const results = async () => [await through(proxy, `http://127.0.0.1:${port}/`), await tunnel(proxy, port)];
  try {
    gate.page = 'example.com';
    gate.granted.add('example.com');
    expect(await results()).toEqual([
      'Folio does not let pages connect to 127.0.0.1',
      'HTTP/1.1 403 Forbidden',
    ]);
    expect(asked).toEqual([]);
    gate.page = 'localhost';
    expect(await results()).toEqual(['read', 'HTTP/1.1 200 OK']);
    expect(asked).toEqual(['/']);
    expect(await through(proxy, 'http://169.254.169.254/')).toContain('does not let pages connect');
    expect(await through(proxy, 'http://10.0.0.1/')).toContain('does not let pages connect');
  } finally {
    gate.close();
    server.closeAllConnections();
    server.close();
  }
});

function through(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    sent.on('error', reject).end();
  });
}

/** The first line of the answer. */
function tunnel(port: number, to: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`CONNECT 127.0.0.1:${to} HTTP/1.1\r\n\r\n`));
    socket.setEncoding('utf8').once('data', (text: string) => {
      socket.destroy();
      resolve(text.split('\r\n')[0] ?? '');
    });
    socket.on('error', reject);
  });
}
