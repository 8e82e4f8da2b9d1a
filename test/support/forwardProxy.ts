/* A forward proxy that sends requests and tunnels for any host to one local port. */

import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** `CONNECT far.example:443` and `GET http://far.example/`, each with the login that came with it. */
  readonly wanted: readonly { readonly line: string; readonly login: string | undefined }[];
}

/** @param to target port; 0 refuses all */
export async function startForwardProxy(to: number): Promise<ForwardProxy> {
  const wanted: { line: string; login: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const note = (line: string, headers: { readonly 'proxy-authorization'?: string }) =>
    wanted.push({ line, login: headers['proxy-authorization'] });
  const server = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    note(`${method} ${url}`, headers);
    if (to === 0) return void response.writeHead(403).end('Not for you.\n');
    const { pathname, search } = new URL(url);
    const { 'proxy-authorization': _, 'proxy-connection': __, ...others } = headers;
    const path = pathname + search;
    const onward = request({ host: '127.0.0.1', port: to, method, path, headers: others }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', keep);
  server.on('connect', (incoming, socket: Socket) => {
    note(`CONNECT ${incoming.url}`, incoming.headers);
    if (to === 0) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect({ host: '127.0.0.1', port: to }, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    keep(onward);
    onward.once('close', () => socket.end());
    socket.once('close', () => onward.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    wanted,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}
