/* Answers the library's questions while it signs in or renews a token. */

import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import type { OAuthConfig } from '../config/serverConfig.ts';
import { SignInNeeded } from './signInNeeded.ts';
import type { StoredSignIn } from './storedSignIn.ts';

interface ProviderParts {
  readonly server: string;
  readonly oauth: OAuthConfig;
  readonly read: () => Promise<StoredSignIn>;
  readonly change: (change: (stored: StoredSignIn) => StoredSignIn) => Promise<void>;
  /** The user has asked to sign in; without it only what is kept is renewed. */
  readonly attended?: Attended;
}

export interface Attended {
  readonly redirectUrl: string;
  readonly state: string;
  /** The rights that are wanted; undefined: the service decides. */
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
    // Nobody registers anywhere without a click. Values that the user configured are not stored over again.
    if (attended) {
      this.saveClientInformation = client => {
        const { redirectUrl } = attended;
        this.registering = false;
        return change(stored => ({ ...stored, client, redirectUrl, isUnanswered: undefined }));
      };
    }
  }

  get redirectUrl(): string {
    // Without a click nothing is redirected; the library only wants to know that this is no flow between machines.
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

  /** The rights to ask for. */
  get scope(): string | undefined {
    return this.parts.attended?.scope;
  }

  /** Folio is no client of the service yet, and asks to become one. */
  get isRegistering(): boolean {
    return this.registering;
  }

  /** The library takes it for the client where the service says that it reads such documents, and registers otherwise. */
  get clientMetadataUrl(): string | undefined {
    return this.parts.oauth.clientMetadataUrl;
  }

  /** Metadata of the service that was asked to sign in; absent: it has none. */
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
        throw new SpokenError(() =>
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
      // The service has forgotten it; the library would ask for a registration.
      if (client === undefined) throw new SignInNeeded(server);
      return client;
    }
    // Registered for another way back, and many servers compare it letter by letter.
    const isOther = redirectUrl !== attended.redirectUrl || isUnanswered || !mayWant(client, attended.scope);
    const known = isOther ? undefined : client;
    this.registering = known === undefined;
    return known;
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    // A user who signs in wants new ones, perhaps as somebody else or with more rights.
    return this.parts.attended ? undefined : (await this.parts.read()).tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    const { asked } = this;
    // A renewal keeps the rights.
    return this.parts.change(stored => ({ ...stored, tokens, scope: tokens.scope ?? asked ?? stored.scope }));
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    const { attended, oauth, server } = this.parts;
    if (!attended) throw new SignInNeeded(server);
    const isSafe =
      address.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
    if (!isSafe)
      throw new SpokenError(() =>
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

/** Some services hold a client to the rights that it was registered with. */
function mayWant(client: StoredOAuthClientInformation | undefined, scope = ''): boolean {
  const registered = client && 'scope' in client ? client.scope : undefined;
  if (typeof registered !== 'string') return true;
  const names = registered.split(' ');
  return scope.split(' ').every(name => name === '' || names.includes(name));
}

/** A slash at the end makes no other service. */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

/** A sign-in server that the configuration names need not be looked for. */
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
