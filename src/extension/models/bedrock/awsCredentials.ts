/*
 * Finds the machine's AWS credentials: in the environment, in the profile of ~/.aws that AWS_PROFILE names, from an SSO
 * sign-in, a program, or an AWS machine. Amazon's library finds and renews them, and keeps them only in memory.
 */

import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import { findNetworkFailure } from '../wire/networkErrors.ts';
import type { HeaderRecord, UnsignedRequest } from '../wire/wireExchange.ts';

/** Advice for a user without credentials, or with rejected ones. */
export const awsSignInAdvice = () =>
  t(
    'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.',
  );

/** Loads the libraries on the first request. */
export class AwsCredentials {
  private provider: ReturnType<typeof load> | undefined;

  /** Returns the headers of the request with its signature. Rejects with a `ModelError`. */
  async sign({ url, method, headers, body }: UnsignedRequest, region: string): Promise<HeaderRecord> {
    const credentials = await this.read();
    const { SignatureV4 } = (await import('@smithy/signature-v4')).default;
    const { Hash } = (await import('@smithy/hash-node')).default;
    const signer = new SignatureV4({
      service: 'bedrock',
      region,
      credentials,
      sha256: Hash.bind(null, 'sha256'),
    });
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      body: Buffer.concat(body),
    });
    const { host: _, ...others } = signed.headers;
    return others;
  }

  /** Call after credentials were rejected: the user may have signed in again since. */
  forget(): void {
    this.provider = undefined;
  }

  private async read() {
    try {
      this.provider ??= load();
      const credentials = await (await this.provider)();
      return credentials;
    } catch (error) {
      this.forget();
      throw classifyCredentialFailure(error);
    }
  }
}

async function load() {
  // A bundled CommonJS module exports only `default`.
  const { defaultProvider } = (await import('@aws-sdk/credential-provider-node')).default;
  return defaultProvider();
}

/** Omits the cause: the library's errors may quote the secret that was exchanged for credentials. */
function classifyCredentialFailure(error: unknown): ModelError {
  const message = messageOf(error);
  const network = findNetworkFailure(error);
  if (network) {
    const shown = network.code ? ` (${network.code})` : '';
    const say = () => t('The AWS sign-in server cannot be reached{0}. Check the network, then retry.', shown);
    return new ModelError('network', say, { retryable: network.kind === 'failed' });
  }
  return new ModelError('auth', () => sentenceFor(message), { retryable: false });
}

function sentenceFor(message: string): string {
  if (/sso|token is expired|session.*(expired|invalid)/i.test(message))
    return t('The AWS sign-in has expired. Run "aws sso login" in a terminal, then retry.');
  if (/profile/i.test(message))
    return t(
      'The AWS profile gave no credentials. Correct AWS_PROFILE or the files in ~/.aws, or run "aws configure", then retry.',
    );
  if (/could not load credentials/i.test(message))
    return t('No AWS credentials were found. {0}', awsSignInAdvice());
  return t('The AWS credentials could not be read. {0}', awsSignInAdvice());
}
