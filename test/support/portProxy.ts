/* Forwards ports of this machine below one address, as a VS Code server for other machines does. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PortProxy extends AsyncDisposable {
  /** On this machine, by a name that is none of its own. */
  readonly origin: string;
  /** Gives the forwarded address. */
  forward(address: string): string;
  /** What becomes of the headers of an answer; as they are unless a test says so. */
  change: (headers: Record<string, string | string[] | undefined>) => void;
}

/** @param host a name of this machine */
export async function startPortProxy(host = '0.0.0.0'): Promise<PortProxy> {
  const server = createServer((incoming, response) => void pass(incoming, response, proxy));
  await new Promise<void>(resolve => server.listen(0, host === '0.0.0.0' ? '127.0.0.1' : host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const proxy: PortProxy = {
    origin,
    forward(address) {
      const { port, pathname } = new URL(address);
      return `${origin}/port/${port}${pathname}`;
    },
    change: () => {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return proxy;
}

function pass(incoming: IncomingMessage, response: ServerResponse, proxy: PortProxy): void {
  const [, port, path] = /^\/port\/(\d+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
  const { method, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, answer => {
    const passed = { ...answer.headers };
    proxy.change(passed);
    response.writeHead(answer.statusCode ?? 500, passed);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.writeHead(502).end());
  outgoing.end();
}
