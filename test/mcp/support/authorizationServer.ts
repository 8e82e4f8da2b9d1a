/*
 * A real authorization server (`oidc-provider`) for an MCP server over HTTP, and a browser that signs in.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider, { type Adapter, type InteractionResults } from 'oidc-provider';
import type { WebPeer } from './webPeer.ts';

export class AuthorizationServer {
  readonly issuer: string;
  readonly provider: Provider;
  /** Answer of the user to the consent page. */
  consent: 'given' | 'denied' = 'given';
  readonly seen: string[] = [];
  /** Bodies of client registrations. */
  readonly registrations: unknown[] = [];
  /** All issued tokens. */
  readonly secrets: string[] = [];
  private readonly server: Server;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.issuer = `http://127.0.0.1:${port}`;
    this.provider = new Provider(this.issuer, {
      cookies: { keys: ['only for tests'] },
      pkce: { required: () => true },
      scopes: ['openid', 'offline_access', 'read', 'write'],
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
      // The library warns about unset values.
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, RefreshToken: 600, IdToken: 600 },
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      renderError: (context, { error }) => {
        context.body = `There is an error: ${error}`;
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: (_context, _client, oneOf) => oneOf ?? [],
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({ scope: 'read write', accessTokenFormat: 'opaque' }),
        },
      },
    });
    this.provider.on('registration_create.success', ({ oidc }) => this.registrations.push(oidc.body));
    const answer = this.provider.callback();
    server.on('request', (request, response) => {
      this.seen.push(`${request.method} ${new URL(request.url ?? '', this.issuer).pathname}`);
      if (request.url?.startsWith('/interaction/')) void this.interact(request, response);
      else void answer(request, response);
    });
  }

  static async start(): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
    return new AuthorizationServer(server, address.port);
  }

  /** Makes the server accept only tokens issued for it. */
  protect(peer: WebPeer): void {
    peer.tokens ??= new Set();
    this.provider.on('grant.success', ({ oidc, body }) => {
      const { access_token: token, refresh_token: refresh } = body as Readonly<Record<string, string>>;
      this.secrets.push(token ?? '', refresh ?? '');
      const { AccessToken } = oidc.entities;
      if (token !== undefined && AccessToken?.aud === peer.url) peer.accept(token, AccessToken.scope ?? null);
    });
    peer.reply = path =>
      path === '/.well-known/oauth-protected-resource/mcp'
        ? [200, { resource: peer.url, authorization_servers: [this.issuer], scopes_supported: ['read'] }]
        : undefined;
  }

  /** Removes a client from the service. */
  async forget(clientId: string): Promise<void> {
    const { adapter } = this.provider.Client as unknown as { readonly adapter: Adapter };
    await adapter.destroy(clientId);
  }

  async end(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider } = this;
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    const finish = (result: InteractionResults, merge = true) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: merge });
    if (this.consent === 'denied')
      return await finish({ error: 'access_denied', error_description: 'The user said no.' }, false);
    if (prompt.name === 'login') return await finish({ login: { accountId: 'ada' } });
    const earlier = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant =
      earlier ??
      new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) });
    const { missingOIDCScope, missingResourceScopes } = prompt.details as {
      readonly missingOIDCScope?: readonly string[];
      readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
    };
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
      grant.addResourceScope(resource, scopes.join(' '));
    await finish({ consent: { grantId: await grant.save() } });
  }
}

/**
 * Follows pages like a browser, with cookies. Returns the text of the last page.
 * @param change modifies each address before the request
 */
export async function browse(address: string, change: (url: URL) => void = () => {}): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, text]: [URL | undefined, string] = [new URL(address), ''];
  for (let hops = 0; url && hops < 20; hops++) {
    change(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    text = await response.text();
    const to = response.headers.get('location');
    url = to === null ? undefined : new URL(to, url);
  }
  return text;
}
