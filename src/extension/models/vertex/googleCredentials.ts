/*
 * Application Default Credentials: the file in GOOGLE_APPLICATION_CREDENTIALS, else gcloud's file, else the metadata
 * server of a Google machine. Google's library finds and renews them, and keeps tokens only in memory.
 */

import type { GoogleAuth } from 'google-auth-library';
import { t } from '../../../protocol/language.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import { findNetworkFailure } from '../wire/networkErrors.ts';

/** Advice for a user without credentials, or with rejected ones. */
export const googleSignInAdvice = () =>
  t('Run "gcloud auth application-default login" in a terminal, then retry.');

interface RequestCredentials {
  readonly token: string;
  /** The project that pays, if the credentials name one. */
  readonly quotaProject: string | undefined;
}

const scopes = ['https://www.googleapis.com/auth/cloud-platform'];

/** Loads the library on the first request. */
export class GoogleCredentials {
  private auth: Promise<GoogleAuth> | undefined;

  /**
   * Rejects with a `ModelError`, and forgets the credentials, so that the next request searches again. Until then the
   * first request's project counts.
   */
  async read(project: string): Promise<RequestCredentials> {
    try {
      this.auth ??= load(project);
      const headers = await (await this.auth).getRequestHeaders();
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
      if (!token) throw noCredentials();
      if (!/^[!-~]+$/.test(token)) throw new ModelError('auth', brokenToken, { retryable: false });
      return { token, quotaProject: headers.get('x-goog-user-project') ?? undefined };
    } catch (error) {
      this.forget();
      throw classifyCredentialFailure(error);
    }
  }

  /** Call after credentials were rejected: the user may have signed in again since. */
  forget(): void {
    this.auth = undefined;
  }
}

function noCredentials(): ModelError {
  return new ModelError('auth', () => t('Vertex AI has no credentials. {0}', googleSignInAdvice()), {
    retryable: false,
  });
}

function brokenToken(): string {
  return t('The Google credentials gave a token that cannot be sent. {0}', googleSignInAdvice());
}

async function load(projectId: string): Promise<GoogleAuth> {
  // A bundled CommonJS module exports only `default`.
  const { GoogleAuth } = (await import('google-auth-library')).default;
  // With a project given, the library does not run gcloud to find one.
  return new GoogleAuth({ scopes, projectId });
}

/** Omits the cause: the library's errors hold the request, including the secret exchanged for a token. */
function classifyCredentialFailure(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = messageOf(error);
  const network = findNetworkFailure(error);
  if (network) {
    const shown = network.code ? ` (${network.code})` : '';
    const say = () =>
      t("Google's sign-in server cannot be reached{0}. Check the network, then retry.", shown);
    return new ModelError('network', say, { retryable: network.kind === 'failed' });
  }
  const status = statusOf(error);
  if (status !== undefined && status >= 500) {
    const say = () => t("Google's sign-in server is down (status {0}). Retry later.", status);
    return new ModelError('overloaded', say, { retryable: true, status });
  }
  return new ModelError('auth', () => sentenceFor(message, errorCode(error) ?? nameOf(error)), {
    retryable: false,
  });
}

/** An error's message may quote the credentials file; its name does not. */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error && error.name !== 'Error' ? error.name : undefined;
}

function sentenceFor(message: string, code: string | undefined): string {
  if (/could not load the default credentials/i.test(message)) {
    return t('No Google credentials were found. {0}', googleSignInAdvice());
  }
  if (/GOOGLE_APPLICATION_CREDENTIALS/.test(message)) {
    return t(
      'The file of Google credentials that GOOGLE_APPLICATION_CREDENTIALS names cannot be read. Correct the variable, or remove it and run "gcloud auth application-default login".',
    );
  }
  if (/invalid_grant|invalid_rapt|reauth/i.test(message)) {
    return t('The Google credentials have expired or were revoked. {0}', googleSignInAdvice());
  }
  const shown = code && /^[\w-]{1,40}$/.test(code) ? ` (${code})` : '';
  return t('The Google credentials gave no token{0}. {1}', shown, googleSignInAdvice());
}

/** HTTP status of the sign-in server. The library's errors hold it directly or in the response. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status;
  return 'response' in error ? statusOf(error.response) : undefined;
}
