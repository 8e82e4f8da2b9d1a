/* A server over HTTP that can be told what to do wrong, with a service for signing in beside it. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export class WebPeer {
  /** What is done with a call, in place of an answer; `false`: it is answered. */
  onCall: (message: Message, response: ServerResponse) => boolean = () => false;
  /** Tokens that are good; `undefined`: none is wanted. */
  tokens: Set<string> | undefined;
  /** What a token must have been asked for with before a tool may be called. */
  wantedScope: string | undefined;
  session: string | undefined;
  /** Status for methods of versions that it does not speak; `undefined`: it answers with a result like any other. */
  refuseUnknown: number | undefined;
  /** As the service for signing in would send the browser back. */
  changeAnswer: (answer: URL) => void = () => {};
  /** What is answered in place of the usual, by path. */
  reply: (path: string) => readonly [status: number, value: object] | undefined = () => undefined;
  /** How a request for a token is refused, with the words of the service; `undefined`: it is answered. */
  refuseToken: (asked: URLSearchParams) => string | undefined = () => undefined;
  /** Headers of a refusal say where the metadata is. */
  namesMetadata = true;
  /** Queries of the page where a user signs in. */
  readonly asked: URLSearchParams[] = [];
  readonly seen: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  readonly registrations: unknown[] = [];
  private readonly server: Server;
  private given = 0;
  private challenge = '';
  private scope: string | null = null;
  private readonly scopes = new Map<string, string | null>();

  private constructor() {
    this.server = createServer(
      { keepAliveTimeout: 3_600_000 },
      (request, response) => void this.answer(request, response),
    );
  }

  static async start(): Promise<WebPeer> {
    const peer = new WebPeer();
    await new Promise<void>(resolve => peer.server.listen(0, '127.0.0.1', resolve));
    return peer;
  }

  /** A token of another service is good. @param scope what it is for */
  accept(token: string, scope: string | null): void {
    this.tokens?.add(token);
    this.scopes.set(token, scope);
  }

  get origin(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async end(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '', this.origin);
    this.seen.push(`${request.method} ${url.pathname}`);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const odd = this.reply(url.pathname);
    if (odd) return json(response, ...odd);
    switch (url.pathname) {
      case '/mcp':
        return this.speak(request, response, body);
      case '/.well-known/oauth-protected-resource/mcp':
        return json(response, 200, { resource: this.url, authorization_servers: [this.origin] });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          registration_endpoint: `${this.origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/register': {
        this.registrations.push(JSON.parse(body));
        return json(response, 201, { ...JSON.parse(body), client_id: `client-${this.registrations.length}` });
      }
      case '/authorize': {
        this.asked.push(url.searchParams);
        this.challenge = url.searchParams.get('code_challenge') ?? '';
        this.scope = url.searchParams.get('scope');
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'the-code');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        this.changeAnswer(back);
        response.writeHead(302, { location: back.href });
        response.end();
        return;
      }
      case '/token':
        return await this.giveToken(response, new URLSearchParams(body));
      default:
        return json(response, 404, {});
    }
  }

  private async giveToken(response: ServerResponse, asked: URLSearchParams): Promise<void> {
    const refused = this.refuseToken(asked);
    if (refused !== undefined)
      return json(response, 400, { error: 'invalid_grant', error_description: refused });
    const isCode = asked.get('grant_type') === 'authorization_code';
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(asked.get('code_verifier') ?? ''));
    const isGood = isCode
      ? asked.get('code') === 'the-code' && Buffer.from(digest).toString('base64url') === this.challenge
      : asked.get('refresh_token') === `refresh-${this.given}`;
    if (!isGood) return json(response, 400, { error: 'invalid_grant' });
    this.given++;
    this.tokens?.add(`token-${this.given}`);
    this.scopes.set(`token-${this.given}`, this.scope);
    json(response, 200, {
      access_token: `token-${this.given}`,
      refresh_token: `refresh-${this.given}`,
      token_type: 'Bearer',
      expires_in: 3600,
    });
  }

  private speak(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const { authorization } = request.headers;
    this.authorizations.push(authorization);
    const token = authorization?.replace('Bearer ', '') ?? '';
    const place = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
    const refuse = (status: number, more = '') => {
      const where = this.namesMetadata ? ` resource_metadata="${place}"${more}` : '';
      response.writeHead(status, { 'www-authenticate': `Bearer${where}` });
      response.end();
    };
    if (this.tokens && !this.tokens.has(token)) return refuse(401);
    if (request.method !== 'POST') return json(response, 405, {});
    const message: Message = JSON.parse(body);
    const { wantedScope } = this;
    const has = this.scopes.get(token)?.split(' ') ?? [];
    if (wantedScope && message.method === 'tools/call' && !has.includes(wantedScope))
      return refuse(403, `, error="insufficient_scope", scope="${wantedScope}"`);
    if (this.refuseUnknown !== undefined && message.method === 'server/discover')
      return json(response, this.refuseUnknown, {});
    if (this.session !== undefined && message.method !== 'initialize') {
      if (request.headers['mcp-session-id'] !== this.session) return json(response, 404, {});
    }
    if (message.id === undefined) {
      response.writeHead(202);
      response.end();
      return;
    }
    if (message.method === 'tools/call' && this.onCall(message, response)) return;
    json(response, 200, { jsonrpc: '2.0', id: message.id, result: this.resultOf(message) }, this.session);
  }

  private resultOf({ method, params }: Message): object {
    if (method === 'initialize') {
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'web', version: '1' },
      };
    }
    if (method === 'tools/list') return { tools: [{ name: 'act', inputSchema: { type: 'object' } }] };
    return { content: [{ type: 'text', text: 'done' }] };
  }
}

function json(response: ServerResponse, status: number, value: object, session?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(session && { 'mcp-session-id': session }),
  });
  response.end(JSON.stringify(value));
}
