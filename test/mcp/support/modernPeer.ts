/*
 * An MCP server of 2026-07-28 over HTTP in this process. The official library answers; requests that it accepts against
 * the protocol are refused before. Tests may break answers off.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { modernServer, modernState } from './modernServer.ts';

interface Seen {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

export class ModernPeer {
  readonly state = modernState();
  readonly requests: Seen[] = [];
  /** Violated rules. */
  readonly faults: string[] = [];
  /** Handles a request in place of the library. Returns false to answer it as usual. */
  onRequest: (seen: Seen, response: ServerResponse) => boolean = () => false;
  private readonly handler: McpHttpHandler;
  private readonly server: Server;
  private readonly streams = new Set<ServerResponse>();

  private constructor() {
    this.handler = createMcpHandler(() => modernServer(this.state), { legacy: 'reject' });
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ModernPeer> {
    const peer = new ModernPeer();
    await new Promise<void>(resolve => peer.server.listen(0, '127.0.0.1', resolve));
    return peer;
  }

  get url(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
    return `http://127.0.0.1:${address.port}/mcp`;
  }

  /** Returns requests of one method, oldest first. */
  of(method: string): readonly Seen[] {
    return this.requests.filter(each => each.method === method);
  }

  addTool(name: string): void {
    this.state.more.push(name);
    this.handler.notify.toolsChanged();
  }

  /** Cuts open streams, as a proxy does with silent ones. */
  cutStreams(): void {
    for (const stream of this.streams) stream.destroy();
  }

  async end(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await this.handler.close();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const fault = faultOf(request, body);
    if (fault !== undefined) {
      this.faults.push(fault.why);
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      const id: unknown = body === '' ? null : JSON.parse(body).id;
      const error = { code: fault.code, message: fault.why };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    const { method, id, params } = JSON.parse(body);
    const seen = { method, headers: request.headers, id, params };
    this.requests.push(seen);
    if (this.onRequest(seen, response)) return;
    await this.pass(request, body, response);
  }

  private async pass(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const asked = new Request(this.url, { method: 'POST', headers, body, signal: gone.signal });
    const answer = await this.handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    this.streams.add(response);
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      // The client or the test ended it.
      response.destroy();
    } finally {
      this.streams.delete(response);
    }
  }
}

interface Fault {
  readonly status: number;
  readonly code: number;
  readonly why: string;
}

const meta = 'io.modelcontextprotocol/';

/** By https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http and …/basic/index. */
function faultOf({ method: verb, headers }: IncomingMessage, body: string): Fault | undefined {
  const fault = (why: string, code = -32_600, status = 400): Fault => ({ status, code, why });
  // "HTTP GET or DELETE to the MCP endpoint: respond with 405 Method Not Allowed."
  if (verb !== 'POST') return fault(`${verb} is not allowed`, -32_600, 405);
  // "The client MUST include an Accept header listing both application/json and text/event-stream."
  const accept = headers.accept ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
    return fault('Accept lists not both types');
  // "An Mcp-Session-Id header on a request: ignore it": a client that knows the version sends none, as for this one.
  for (const name of ['mcp-session-id', 'last-event-id']) {
    if (headers[name] !== undefined) return fault(`${name} is of an older version`);
  }
  const message = JSON.parse(body);
  // "The body of the HTTP POST MUST be a single JSON-RPC request or notification"; the version has no notification.
  if (typeof message.method !== 'string' || message.id === undefined) return fault('it is no request');
  const given = message.params?._meta ?? {};
  // "Every request MUST include the required _meta fields."
  for (const key of ['protocolVersion', 'clientCapabilities']) {
    if (given[meta + key] === undefined) return fault(`_meta has no ${key}`, -32_602);
  }
  // "The header value MUST match the protocolVersion field carried in the request body's _meta."
  const mismatch = (name: string) => fault(`${name} does not match`, -32_020);
  if (headers['mcp-protocol-version'] !== given[`${meta}protocolVersion`])
    return mismatch('MCP-Protocol-Version');
  if (headers['mcp-method'] !== message.method) return mismatch('Mcp-Method');
  // "Required for tools/call, resources/read, prompts/get", and by the extension for tasks; sent for nothing else.
  const named = {
    'tools/call': 'name',
    'prompts/get': 'name',
    'resources/read': 'uri',
    'tasks/get': 'taskId',
    'tasks/update': 'taskId',
    'tasks/cancel': 'taskId',
  }[message.method as string];
  const value = named && message.params[named];
  if (decoded(headers['mcp-name']) !== value) return mismatch('Mcp-Name');
  return undefined;
}

function decoded(header: string | string[] | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(header ?? ''))?.[1];
  return encoded === undefined ? header?.toString() : Buffer.from(encoded, 'base64').toString();
}
