import { randomBytes } from 'node:crypto';
import {
  AuthorizationServerMismatchError,
  auth,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { t } from '../../../protocol/language.ts';
import { LocalizedError, messageOf } from '../../base/errors.ts';
import { maskValues } from '../../base/maskValues.ts';
import { sanitiseLine } from '../../base/text.ts';
import type { StoredSecrets } from '../../platform/secrets.ts';
import type { OAuthConfig } from '../config/serverConfig.ts';
import type { Redirects } from './redirects.ts';
import { SignInNeededError } from './signInNeeded.ts';
import { type InteractiveSignIn, SignInProvider } from './signInProvider.ts';
import { readStoredSignIn, type StoredSignIn, signInName } from './storedSignIn.ts';

interface SignInWindow {
  readonly redirects: Redirects;
  /** Opens an address in the user's browser. Resolves to false if it cannot. */
  readonly open: (address: string) => Promise<boolean>;
}

/** The user's sign-in at one HTTP server: its state, and how to sign in and out. */
export class ServerSignIn {
  private readonly server: string;
  private readonly url: string;
  private readonly oauth: OAuthConfig;
  private readonly secrets: StoredSecrets;
  private readonly name: string;
  private challenge: Challenge = {};
  private renewing: Promise<boolean> | undefined;

  constructor(server: string, url: string, oauth: OAuthConfig, secrets: StoredSecrets) {
    this.server = server;
    this.url = url;
    this.oauth = oauth;
    this.secrets = secrets;
    this.name = signInName(server, url);
  }

  /** Sends the token, and renews it if it has expired. Rejects with `SignInNeededError`. */
  readonly fetch: FetchLike = async (address, init) => {
    // The library requests no other origin. If it ever did, that origin must not get the token.
    if (new URL(address).origin !== new URL(this.url).origin) return fetch(address, init);
    const used = await this.token();
    const response = await fetch(address, withToken(init, used));
    if (!this.wantsSignIn(response, init)) return response;
    this.challenge = readChallenge(response);
    await response.body?.cancel();
    if (response.status === 403 || !(await this.renew(used))) throw new SignInNeededError(this.server);
    const again = await fetch(address, withToken(init, await this.token()));
    if (!this.wantsSignIn(again, init)) return again;
    await again.body?.cancel();
    throw new SignInNeededError(this.server);
  };

  /** Rejects with a user-facing message, or with the signal's reason. */
  async signIn({ redirects, open }: SignInWindow, signal: AbortSignal): Promise<void> {
    const { oauth } = this;
    const state = randomBytes(32).toString('base64url');
    const { redirectUrl: last, scope } = await this.read();
    const redirect = await redirects.open(state, {
      url: oauth.redirectUri ?? last,
      fixed: oauth.redirectUri !== undefined,
    });
    try {
      const attended: InteractiveSignIn = {
        redirectUrl: redirect.url,
        state,
        scope: this.wantedScope(scope),
        open: async address => {
          if (!(await open(address.href)))
            throw new LocalizedError(() => t('The page for signing in could not be opened.'));
        },
      };
      const provider = this.provider(attended);
      const begun = await this.auth(provider, signal).catch((error: unknown) => {
        throw provider.isRegistering && !signal.aborted ? notRegistered(error) : error;
      });
      if (begun === 'AUTHORIZED') return;
      const answer = await redirect.answer(signal).catch(async (error: unknown) => {
        await this.change(stored => ({ ...stored, isUnanswered: true }));
        throw error;
      });
      const code = codeOf(answer, provider.service);
      await this.auth(provider, signal, code).catch((error: unknown) => {
        throw error instanceof OAuthError ? refused(error.message, error) : error;
      });
      this.challenge = {};
    } finally {
      redirect.close();
    }
  }

  async signOut(): Promise<void> {
    await this.secrets.drop(this.name);
  }

  private async token(): Promise<string | undefined> {
    return (await this.read()).tokens?.access_token;
  }

  /** The user must renew a header that they configured themselves. */
  private wantsSignIn(response: Response, init: RequestInit | undefined): boolean {
    if (!this.oauth.enabled || new Headers(init?.headers).has('authorization')) return false;
    if (response.status === 401) return true;
    return response.status === 403 && extractWWWAuthenticateParams(response).error === 'insufficient_scope';
  }

  /** Several calls may detect the expiry at once; one renews for all. */
  private async renew(used: string | undefined): Promise<boolean> {
    if (used === undefined) return false;
    if ((await this.token()) !== used) return true;
    this.renewing ??= this.renewOnce().finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    if ((await this.read()).tokens?.refresh_token === undefined) return false;
    try {
      return (await this.auth(this.provider(undefined))) === 'AUTHORIZED';
    } catch (error) {
      if (error instanceof SignInNeededError) return false;
      // The server now trusts another service, for which nothing is stored.
      if (error instanceof AuthorizationServerMismatchError) return false;
      throw error;
    }
  }

  /** Adds the requested scopes to the previous ones, which other requests need. */
  private wantedScope(before: string | undefined): string | undefined {
    const { scope, isStepUp } = this.challenge;
    if (!isStepUp) return this.oauth.scopes?.join(' ') ?? scope;
    return scope && [...new Set([before ?? '', scope].join(' ').split(' '))].join(' ').trim();
  }

  private auth(provider: SignInProvider, signal?: AbortSignal, answer?: Answer) {
    return auth(provider, {
      serverUrl: this.url,
      resourceMetadataUrl: this.challenge.resourceMetadataUrl,
      scope: provider.scope,
      authorizationCode: answer?.code,
      iss: answer?.iss,
      fetchFn: patientFetch(signal),
    });
  }

  private provider(attended: InteractiveSignIn | undefined): SignInProvider {
    return new SignInProvider({
      server: this.server,
      oauth: this.oauth,
      read: () => this.read(),
      change: change => this.change(change),
      attended,
    });
  }

  private read(): Promise<StoredSignIn> {
    return readStoredSignIn(this.secrets, this.name);
  }

  private async change(change: (stored: StoredSignIn) => StoredSignIn): Promise<void> {
    await this.secrets.keep(this.name, JSON.stringify(change(await this.read())));
  }
}

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
  /** The user is signed in, and the server wants more scopes. */
  readonly isStepUp?: boolean;
}

function readChallenge(response: Response): Challenge {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    resourceMetadataUrl,
    scope,
    isStepUp: response.status === 403,
  };
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  const headers = new Headers(init?.headers);
  if (token === undefined || headers.has('authorization')) return init;
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** An authorization server that hangs must not block everything. */
const maxStepMs = 30_000;

function patientFetch(signal: AbortSignal | undefined): FetchLike {
  const limit = () => AbortSignal.timeout(maxStepMs);
  return async (address, init) => {
    const response = await fetch(address, {
      ...init,
      signal: signal ? AbortSignal.any([signal, limit()]) : limit(),
    });
    return response.ok ? response : withoutSecrets(response, init?.body);
  };
}

const secretFields = ['code', 'code_verifier', 'refresh_token', 'client_secret'];

/**
 * Masks secrets in an error response: the text is shown and the library prints it, and a service may echo what it was
 * sent.
 */
async function withoutSecrets(response: Response, sent: unknown): Promise<Response> {
  const fields = sent instanceof URLSearchParams ? secretFields.flatMap(name => sent.get(name) ?? []) : [];
  if (fields.length === 0) return response;
  const text = maskValues(await response.text(), fields);
  return new Response(text, { status: response.status, headers: response.headers });
}

/** Many services register only clients that their administrator knows. */
function notRegistered(error: unknown): LocalizedError {
  const why = sanitiseLine(messageOf(error), 150);
  return new LocalizedError(
    () =>
      t(
        'Its sign-in service did not register Folio ({0}). Register a client there by hand, and set its "clientId" under "oauth" of this server.',
        why,
      ),
    { cause: error },
  );
}

function refused(words: string, cause?: unknown): LocalizedError {
  const why = sanitiseLine(words, 200);
  return new LocalizedError(() => t('The server refused the sign-in: {0}', why), { cause });
}

interface Answer {
  readonly code: string;
  readonly iss: string | undefined;
}

/**
 * Checks the issuer (RFC 9207). If the response comes from another service, nothing in it is used, not even its error.
 */
function codeOf(answer: URLSearchParams, service: SignInProvider['service']): Answer {
  const iss = answer.get('iss') ?? undefined;
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: service?.issuer,
      issParameterSupported: service?.authorization_response_iss_parameter_supported === true,
    });
  } catch (cause) {
    throw new LocalizedError(() => t('The answer came from another server, so it was rejected.'), { cause });
  }
  const error = answer.get('error');
  if (error !== null) {
    throw refused(answer.get('error_description') ?? error);
  }
  const code = answer.get('code');
  if (code === null) throw new LocalizedError(() => t('The server answered the sign-in without a code.'));
  return { code, iss };
}
