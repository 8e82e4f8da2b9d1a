/*
 * A local server that misbehaves below the protocol of models. A function over the open connection handles each
 * request. The server counts open connections and sent bytes.
 */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface FaultyRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A received request, with actions on its connection. */
export interface Connection {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
}

export type FaultyAnswer = (connection: Connection) => void | Promise<void>;

export class FaultyServer {
  readonly requests: FaultyRequest[] = [];
  /** Answers to requests, in order; then `always`. */
  readonly script: FaultyAnswer[] = [];
  always: FaultyAnswer = ({ response }) => void response.writeHead(500).end();
  /** Answers side requests, which are not recorded. Returns `undefined` for others. */
  shelved: (path: string) => unknown = () => undefined;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer({ keepAliveTimeout: 1 }, (incoming, response) => {
    const gone = new AbortController();
    incoming.socket.once('close', () => gone.abort());
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    incoming.on('end', () => {
      const shelved = this.shelved(incoming.url ?? '');
      if (shelved !== undefined) {
        response.shouldKeepAlive = false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shelved));
        return;
      }
      this.requests.push({ path: incoming.url ?? '', headers: incoming.headers, body });
      const answer = this.script.shift() ?? this.always;
      // So that any connection that stays open is a leak.
      response.shouldKeepAlive = false;
      void Promise.resolve(answer({ socket: incoming.socket, response, gone: gone.signal }));
    });
  });
  private port = 0;

  constructor() {
    this.server.on('connection', socket => {
      this.sockets.add(socket);
      // Clients may disconnect in these tests.
      socket.on('error', () => {});
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get open(): number {
    return this.sockets.size;
  }

  /** Listens, on the same port after `stop`. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening, so that connections are refused. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

export function respond(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): FaultyAnswer {
  return ({ response }) => void response.writeHead(status, headers).end(body);
}

const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Answers with a stream of events that ends normally after these bytes. */
export function streamed(...pieces: readonly (string | Uint8Array)[]): FaultyAnswer {
  return async connection => {
    await begin(pieces)(connection);
    connection.response.end();
  };
}

/** Begins a stream of events that stays open after these bytes. */
export function begin(pieces: readonly (string | Uint8Array)[]): FaultyAnswer {
  return async ({ response }) => {
    response.writeHead(200, eventStream).flushHeaders();
    for (const piece of pieces) {
      response.write(piece);
      await setImmediate();
    }
  };
}

/** Answers in writes of one byte, including headers. */
export function byteByByte(...pieces: readonly string[]): FaultyAnswer {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
  return async ({ socket, gone }) => {
    socket.setNoDelay();
    for (const byte of new TextEncoder().encode(head + pieces.join(''))) {
      if (gone.aborted) return;
      socket.write(Uint8Array.of(byte));
      await setImmediate();
    }
    socket.end();
  };
}

/** Repeats the piece until the client disconnects. */
export function endless(status: number, type: string, piece: string): FaultyAnswer {
  return async ({ response, gone }) => {
    response.writeHead(status, { 'content-type': type });
    while (!gone.aborted) {
      if (response.write(piece)) await setImmediate();
      else await drained(response, gone);
    }
  };
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
