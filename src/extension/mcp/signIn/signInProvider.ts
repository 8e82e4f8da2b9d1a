/* Answers the library's questions during a sign-in or a token renewal. */

import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { OAuthConfig } from '../config/serverConfig.ts';
import { SignInNeededError } from './signInNeeded.ts';
import type { StoredSignIn } from './storedSignIn.ts';

interface ProviderParts {
  readonly server: string;
  readonly oauth: OAuthConfig;
  readonly read: () => Promise<StoredSignIn>;
  readonly change: (change: (stored: StoredSignIn) => StoredSignIn) => Promise<void>;
  /** Set if the user requested the sign-in. If omitted, only stored credentials are renewed. */
  readonly attended?: InteractiveSignIn;
}

export interface InteractiveSignIn {
  readonly redirectUrl: string;
  readonly state: string;
  /** Requested scopes. `undefined` leaves them to the service. */
  readonly scope: string | undefined;
  readonly open: (address: URL) => Promise<void>;
}

export class SignInProvider implements OAuthClientProvider {
  private readonly parts: ProviderParts;
  private discovered: OAuthDiscoveryState | undefined;
  private verifier: string | undefined;
  private asked: string | undefined;
  private registering = false;
  readonly saveClientInformation?: (client: StoredOAuthClientInformation) => Promise<void>;

  constructor(parts: ProviderParts) {
    this.parts = parts;
    this.discovered = namedServer(parts.oauth);
    const { attended, change } = parts;
    // Registers only after a click. Values that the user configured are not stored.
    if (attended) {
      this.saveClientInformation = client => {
        const { redirectUrl } = attended;
        this.registering = false;
        return change(stored => ({ ...stored, client, redirectUrl, isUnanswered: undefined }));
      };
    }
  }

  get redirectUrl(): string {
    // Without a click there is no redirect. The library only checks that this is no machine-to-machine flow.
    return this.parts.attended?.redirectUrl ?? 'http://127.0.0.1/callback';
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.parts.oauth;
    return {
      client_name: 'Folio',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: scopes?.join(' '),
    };
  }

  get scope(): string | undefined {
    return this.parts.attended?.scope;
  }

  /** Folio is not yet a client of the service, and registers. */
  get isRegistering(): boolean {
    return this.registering;
  }

  /** The library uses it as client id if the service supports such documents, and registers otherwise. */
  get clientMetadataUrl(): string | undefined {
    return this.parts.oauth.clientMetadataUrl;
  }

  /** Metadata of the authorization server. `undefined` if it has none. */
  get service(): OAuthDiscoveryState['authorizationServerMetadata'] {
    return this.discovered?.authorizationServerMetadata;
  }

  state(): string {
    return this.parts.attended?.state ?? '';
  }

  /** @param asked the service that the client is for */
  async clientInformation(
    asked?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { oauth, attended, server } = this.parts;
    const { client, redirectUrl, isUnanswered } = await this.parts.read();
    if (oauth.clientId !== undefined) {
      const issuer = oauth.issuer ?? (client?.client_id === oauth.clientId ? client.issuer : undefined);
      if (issuer !== undefined && asked !== undefined && !isSameIssuer(issuer, asked.issuer)) {
        throw new LocalizedError(() =>
          t(
            'The server now wants the sign-in at {0}, but its "clientId" belongs to {1}. Set the "clientId" and "issuer" of the new service if you trust it.',
            asked.issuer,
            issuer,
          ),
        );
      }
      return {
        client_id: oauth.clientId,
        client_secret: oauth.clientSecret,
        issuer,
      };
    }
    if (!attended) {
      // The service has forgotten the client; the library would register again.
      if (client === undefined) throw new SignInNeededError(server);
      return client;
    }
    // Registered with another redirect URI, which many servers compare exactly.
    const isOther =
      redirectUrl !== attended.redirectUrl || isUnanswered || !coversScopes(client, attended.scope);
    const known = isOther ? undefined : client;
    this.registering = known === undefined;
    return known;
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    // A user who signs in wants new tokens, perhaps for another account or with more scopes.
    return this.parts.attended ? undefined : (await this.parts.read()).tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { asked } = this;
    // A renewal keeps the scopes.
    return this.parts.change(stored => ({ ...stored, tokens, scope: tokens.scope ?? asked ?? stored.scope }));
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    const { attended, oauth, server } = this.parts;
    if (!attended) throw new SignInNeededError(server);
    const isSafe =
      address.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
    if (!isSafe)
      throw new LocalizedError(() =>
        t('The server wants the sign-in at {0}, which is not encrypted.', address.origin),
      );
    this.asked = address.searchParams.get('scope') ?? undefined;
    if (oauth.audiences) address.searchParams.set('audience', oauth.audiences.join(' '));
    await attended.open(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.verifier === undefined) throw new Error('No sign-in is under way.');
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'client') {
      await this.parts.change(({ client: _, redirectUrl: __, ...stored }) => stored);
    }
    if (scope === 'all' || scope === 'tokens') await this.parts.change(({ tokens: _, ...stored }) => stored);
    if (scope === 'all' || scope === 'discovery') this.discovered = namedServer(this.parts.oauth);
  }
}

/** Some services limit a client to the scopes of its registration. */
function coversScopes(client: StoredOAuthClientInformation | undefined, scope = ''): boolean {
  const registered = client && 'scope' in client ? client.scope : undefined;
  if (typeof registered !== 'string') return true;
  const names = registered.split(' ');
  return scope.split(' ').every(name => name === '' || names.includes(name));
}

/** Ignores a trailing slash. */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** If the configuration names the authorization server, discovery is skipped. */
function namedServer(oauth: OAuthConfig): OAuthDiscoveryState | undefined {
  const { authorizationUrl, tokenUrl, registrationUrl, issuer } = oauth;
  if (authorizationUrl === undefined || tokenUrl === undefined) {
    return issuer === undefined ? undefined : { authorizationServerUrl: issuer };
  }
  const server = issuer ?? new URL(authorizationUrl).origin;
  return {
    authorizationServerUrl: server,
    authorizationServerMetadata: {
      issuer: server,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      registration_endpoint: registrationUrl || undefined,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
  };
}
