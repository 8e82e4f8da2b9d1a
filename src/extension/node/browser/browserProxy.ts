/*
 * The browser's only access to the network: a proxy, which also covers workers, sockets and prefetching. It connects to
 * the address that it has checked, so that a name cannot be rebound afterwards.
 */

import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import { classifyHost, type HostKind, isSameHost } from '../../platform/browser/addresses.ts';

const maxConnections = 256;
const hopHeaders = /^(?:proxy-|connection$|keep-alive$|transfer-encoding$|upgrade$)/i;

/** The hosts that the top-level page may open. */
export class PageHosts {
  /** Hosts without ports that a call was allowed to open. */
  readonly granted = new Set<string>();
  /** Host of the current page, or of the next one while it loads. */
  page = '';
  /** Why hosts could not be reached, by host and port. */
  readonly failures = new Map<string, string>();

  /**
   * Returns whether the top-level page may open the address. Allowed are hosts that a call was allowed to open and,
   * while the user controls the page, any public host, for example to sign in.
   */
  allowsPage(address: string, isUsers: boolean): boolean {
    if (!/^https?:/.test(address)) return false;
    const host = hostnameOf(address);
    const place = classifyHost(host);
    if (isUsers && place === 'public') return true;
    const granted = [...this.granted];
    const isLocal = (each: string) => classifyHost(each) === 'local';
    if (place === 'local') return isLocal(this.page) && granted.some(isLocal);
    return granted.some(each => isSameHost(each, host));
  }
}

export class BrowserProxy extends PageHosts {
  /** Kind of address to which a name resolved first. */
  private readonly firstPlaces = new Map<string, HostKind>();
  private readonly open = new Set<Duplex>();
  private readonly server: Server;

  constructor() {
    super();
    this.server = createServer((asked, answer) => void this.forward(asked, answer));
    this.server.on('connect', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
      void this.tunnel(asked.url ?? '', socket, head);
    });
    this.server.on('connection', socket => {
      if (this.open.size >= maxConnections) socket.destroy();
      else this.hold(socket);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.server.unref();
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const each of this.open) each.destroy();
  }

  /** Returns the address to connect to. Rejects if none is allowed. */
  private async find(host: string): Promise<string> {
    const name = host.replace(/^\[|\]$/g, '');
    const isLocalName = classifyHost(name) === 'local' && isIP(name) === 0;
    const addresses = isLocalName
      ? ['127.0.0.1', '::1']
      : isIP(name)
        ? [name]
        : (await lookup(name, { all: true })).map(({ address }) => address);
    const first = this.firstPlaces.get(name) ?? classifyHost(addresses[0] ?? '');
    this.firstPlaces.set(name, first);
    const allowed = addresses.filter(address => this.allows(name, classifyHost(address), first));
    if (allowed[0] === undefined) throw new Error(`Folio does not let pages connect to ${host}`);
    // A server on this machine may listen on only one of IPv4 and IPv6.
    return isLocalName ? 'localhost' : allowed[0];
  }

  private allows(name: string, place: HostKind, first: HostKind): boolean {
    if (place === 'metadata' || classifyHost(name) === 'metadata') return false;
    if (place === 'public') return true;
    // Local pages may use other local servers.
    if (place === 'local' && classifyHost(this.page) === 'local') return true;
    // A name that once resolved to the internet must not resolve to an internal address later.
    return this.granted.has(name) && this.page === name && first === place;
  }

  private async forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const url = new URL(asked.url ?? '');
      const address = await this.find(url.hostname);
      const headers = Object.fromEntries(
        Object.entries(asked.headers).filter(([name]) => !hopHeaders.test(name)),
      );
      const place = { host: address, port: url.port || 80, path: `${url.pathname}${url.search}` };
      const sent = request({ ...place, method: asked.method, headers, agent: false });
      sent.on('response', given => {
        const kept = Object.entries(given.headers).filter(([name]) => !hopHeaders.test(name));
        answer.writeHead(given.statusCode ?? 502, Object.fromEntries(kept));
        given.on('error', () => answer.destroy());
        given.pipe(answer);
      });
      sent.on('error', error => this.fail(answer, url.host, error));
      answer.on('close', () => sent.destroy());
      asked.pipe(sent);
    } catch (error) {
      this.fail(answer, asked.headers.host ?? '', error);
    }
  }

  private fail(answer: ServerResponse, host: string, error: unknown): void {
    this.note(host, error);
    if (answer.headersSent) return void answer.destroy();
    answer.writeHead(502, { 'content-type': 'text/plain' });
    answer.end(messageOf(error));
  }

  private async tunnel(to: string, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const { hostname, port } = new URL(`http://${to}`);
      const host = await this.find(hostname);
      const out = connect({ host, port: Number(port || 80) });
      this.hold(out);
      out.on('connect', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        out.write(head);
        out.pipe(socket).pipe(out);
      });
      out.on('error', error => {
        this.note(to, error);
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      });
      socket.on('close', () => out.destroy());
      out.on('close', () => socket.destroy());
    } catch (error) {
      this.note(to, error);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    }
  }

  private note(host: string, error: unknown): void {
    if (this.failures.size < 200) this.failures.set(host.replace(/:(?:80|443)$/, ''), messageOf(error));
  }

  private hold(socket: Duplex): void {
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket));
  }
}

/** Without port and the brackets of IPv6. */
export function hostnameOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}
