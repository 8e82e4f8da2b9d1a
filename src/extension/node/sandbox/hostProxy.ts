/*
 * The proxy to granted hosts, outside of the sandbox. It listens at a port in the command's network, and is all that
 * the command can reach. It resolves names itself, so that the command has no DNS.
 */

import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  BlockList,
  createServer as createSocketServer,
  isIP,
  type Socket,
  type Server as SocketServer,
} from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import type { SandboxRequest, UserProxy } from '../../platform/sandbox.ts';
import {
  assertProxySupported,
  connectVia,
  findUpstreamProxy,
  type ProxyRoute,
  type ProxyTarget,
  requestVia,
} from './nextProxy.ts';

type Lookup = (host: string) => Promise<readonly string[]>;

type Environment = Pick<SandboxRequest, 'onHostRequested'> & {
  /** The user's own proxy. Omitted for direct connections. */
  readonly next?: UserProxy;
  readonly lookUp?: Lookup;
};

interface Replies {
  readonly opened: string | Buffer;
  readonly failed: (why: string) => string | Buffer;
}

/**
 * Returns `undefined`, which means no network, if no host was granted and the user's own proxy is unsupported. Throws a
 * user-facing message if a host was granted.
 */
export function hostProxyFor(
  { grants: { hosts }, onHostRequested: onWanted }: SandboxRequest,
  next: UserProxy | undefined,
): HostProxy | undefined {
  try {
    if (next) assertProxySupported(next);
  } catch (error) {
    if (hosts.length > 0) throw error;
    return undefined;
  }
  return new HostProxy(hosts, { next, onHostRequested: onWanted });
}

export class HostProxy {
  private readonly hosts: Set<string>;
  private readonly lookUp: Lookup;
  private readonly onWanted: SandboxRequest['onHostRequested'];
  private readonly next: UserProxy;
  private readonly http: Server;
  private door: SocketServer | undefined;
  private readonly open = new Set<Duplex>();
  private readonly wanted = new Set<string>();

  /** @param hosts names or addresses, without ports */
  constructor(hosts: readonly string[], around: Environment = {}) {
    const { next = { except: '' }, lookUp = addressesOf, onHostRequested: onWanted } = around;
    this.hosts = new Set(hosts.map(plainHost));
    this.lookUp = lookUp;
    this.onWanted = onWanted;
    this.next = next;
    this.http = createServer((asked, answer) => void this.forward(asked, answer));
    this.http.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.tunnel(asked.url ?? '', socket, head);
    });
  }

  /** Requested hosts that were not granted. */
  get denied(): readonly string[] {
    return [...this.wanted];
  }

  /** Serves connections from `door` until it closes. */
  serve(door: SocketServer): void {
    this.door = door.on('connection', socket => this.greet(socket));
  }

  /** Listens at a port of this machine, for systems without network namespaces. */
  async listenHere(): Promise<number> {
    const door = createSocketServer();
    this.serve(door);
    await new Promise<void>((resolve, reject) => {
      door.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = door.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async close(): Promise<void> {
    // Stops accepting, then closes open connections, because closing waits for the last of them.
    const { door } = this;
    const closed = door && new Promise<void>(done => door.close(() => done()));
    for (const each of this.open) each.destroy();
    await closed;
  }

  /** The first byte distinguishes SOCKS from HTTP. */
  private greet(socket: Socket): void {
    this.keep(socket);
    socket.once('data', first => {
      if (first[0] === 5) return void this.serveSocks(socket, first);
      socket.pause();
      socket.unshift(first);
      this.http.emit('connection', socket);
      socket.resume();
    });
  }

  private async forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined;
    if (url?.protocol !== 'http:') return void answer.writeHead(400).end('This is a proxy.\n');
    const goal = { host: plainHost(url.hostname), port: Number(url.port || 80) };
    const way = await this.findWay(goal, 'http', goneOf(answer));
    if (typeof way === 'string') return void answer.writeHead(403).end(`${way}\n`);
    const { 'proxy-connection': _connection, 'proxy-authorization': _login, ...headers } = asked.headers;
    const options = { method: asked.method, headers: { ...headers, host: url.host } };
    const onward = requestVia(way, url, options, reply => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', error => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end(`${error.message}\n`);
    });
    asked.pipe(onward);
  }

  private async tunnel(authority: string, socket: Duplex, head: Buffer): Promise<void> {
    const goal = goalOf(authority);
    const way = goal ? await this.findWay(goal, 'https', goneOf(socket)) : refusal(authority);
    if (!goal || typeof way === 'string')
      return void socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n${way}\n`);
    await this.join(socket, way, goal.port, head, {
      opened: 'HTTP/1.1 200 Connection established\r\n\r\n',
      failed: why => `HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n${why}\n`,
    });
  }

  /** RFC 1928, without authentication, and only for connecting. */
  private async serveSocks(socket: Socket, greeting: Buffer): Promise<void> {
    const read = readerOf(socket, greeting);
    try {
      const [, methods = 0] = await read(2);
      await read(methods);
      socket.write(Buffer.from([5, 0]));
      const [, command, , kind] = await read(4);
      const host = await readHost(read, kind ?? 0);
      const port = (await read(2)).readUInt16BE();
      const goal = command === 1 && host !== undefined ? { host: plainHost(host), port } : undefined;
      const way = goal && (await this.findWay(goal, 'https', goneOf(socket)));
      if (way === undefined || typeof way === 'string')
        return void socket.end(socksReply(command === 1 ? 2 : 7));
      const replies = { opened: socksReply(0), failed: () => socksReply(5) };
      await this.join(socket, way, port, read.rest(), replies);
    } catch {
      // It disconnected, or uses another protocol.
      socket.destroy();
    }
  }

  private async join(
    inside: Duplex,
    way: ProxyRoute,
    port: number,
    head: Buffer,
    replies: Replies,
  ): Promise<void> {
    const gone = new AbortController();
    inside.once('close', () => gone.abort());
    try {
      const outside = await connectVia(way, port, gone.signal);
      this.keep(outside);
      outside.once('close', () => inside.end());
      inside.once('close', () => outside.destroy());
      inside.write(replies.opened);
      outside.write(head);
      inside.pipe(outside).pipe(inside);
      inside.resume();
    } catch (error) {
      inside.end(replies.failed(messageOf(error)));
    }
  }

  /** Returns a string if the host must not be reached. A granted name must not resolve to this machine. */
  private async findWay(
    { host, port }: ProxyTarget,
    kind: 'http' | 'https',
    gone: AbortSignal,
  ): Promise<ProxyRoute | string> {
    if (!this.hosts.has(host)) {
      // Does not ask the user about this machine: its servers must be granted in advance.
      const isNear = host === 'localhost' || (isIP(host) > 0 && isOfThisMachine(host));
      const answer = isNear ? undefined : await this.onWanted?.(host, gone);
      if (answer?.kind === 'granted') this.hosts.add(host);
      else {
        this.wanted.add(host);
        return answer?.why ?? refusal(host);
      }
    }
    const next = findUpstreamProxy({ host, port }, kind, this.next);
    if (isIP(host)) return { host, next };
    const addresses = await this.lookUp(host).catch((): readonly string[] => []);
    const address = addresses.find(each => host === 'localhost' || !isOfThisMachine(each));
    // Where a proxy is required, often only the proxy can resolve names, so it gets the name.
    if (next) return address !== undefined || addresses.length === 0 ? { host, next } : refusal(host);
    return address === undefined ? refusal(host) : { host: address };
  }

  private keep(socket: Duplex): void {
    this.open.add(socket);
    socket.on('error', () => {
      // The other side gets the closed connection.
    });
    socket.once('close', () => this.open.delete(socket));
  }
}

/** Loopback, link-local and cloud metadata addresses, and those of its own interfaces. */
function isOfThisMachine(address: string): boolean {
  const near = new BlockList();
  for (const [network, bits] of nearNetworks) near.addSubnet(network, bits, kindOf(network));
  for (const own of Object.values(networkInterfaces()).flat())
    if (own) near.addAddress(own.address, kindOf(own.address));
  return near.check(address, kindOf(address));
}

const nearNetworks = [
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // Metadata addresses of other clouds.
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::254', 128],
  ['::', 127],
  ['fe80::', 10],
] as const;

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function goalOf(authority: string): ProxyTarget | undefined {
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined;
  return url && { host: plainHost(url.hostname), port: Number(url.port || 80) };
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

function refusal(host: string): string {
  return `The sandbox does not let this command connect to ${host}.`;
}

/** Aborts when the client disconnects. */
function goneOf(connection: Duplex | ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (connection.destroyed) gone.abort();
  else connection.once('close', () => gone.abort());
  return gone.signal;
}

function socksReply(status: number): Buffer {
  return Buffer.from([5, status, 0, 1, 0, 0, 0, 0, 0, 0]);
}

interface Reader {
  (count: number): Promise<Buffer>;
  /** Bytes after those that were read. Ends reading. */
  rest(): Buffer;
}

function readerOf(socket: Socket, first: Buffer): Reader {
  let held = first;
  const read = async (count: number) => {
    while (held.length < count) held = Buffer.concat([held, await nextChunk(socket)]);
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  };
  return Object.assign(read, {
    rest: () => {
      socket.pause();
      return held;
    },
  });
}

function nextChunk(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error('It hung up.'));
    socket.once('close', end).once('data', chunk => {
      socket.off('close', end);
      resolve(chunk);
    });
  });
}

async function readHost(read: Reader, kind: number): Promise<string | undefined> {
  if (kind === 1) return [...(await read(4))].join('.');
  if (kind === 3) return (await read((await read(1))[0] ?? 0)).toString('latin1');
  if (kind !== 4) return undefined;
  const words = await read(16);
  return Array.from({ length: 8 }, (_, at) => words.readUInt16BE(at * 2).toString(16)).join(':');
}
