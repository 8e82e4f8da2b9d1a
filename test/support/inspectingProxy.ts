/*
 * A proxy that inspects encrypted connections, as companies have: it answers in the place of every host with a
 * certificate of its own, and hands what it reads to one server on this machine.
 */

import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.ts';

export interface InspectingProxy extends AsyncDisposable {
  readonly address: string;
  /** Hosts with their ports that somebody wanted to reach. */
  readonly wanted: readonly string[];
}

/**
 * @param to where all requests end
 * @param login wants one, which nobody has
 */
export async function startInspectingProxy(
  { key, cert }: Certificate,
  to: string,
  { login = false } = {},
): Promise<InspectingProxy> {
  const wanted: string[] = [];
  const sockets = new Set<Socket>();
  const inner = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    const onward = request(new URL(url, to), { method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const server = createServer();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (incoming, socket: Socket) => {
    wanted.push(incoming.url ?? '');
    if (login) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const secure = new TLSSocket(socket, { isServer: true, key, cert });
    // Who does not trust the certificate hangs up.
    secure.on('error', () => {});
    inner.emit('connection', secure);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    wanted,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}
