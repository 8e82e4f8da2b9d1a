/*
 * The machine's AWS credentials: of the environment, of the profile in ~/.aws that AWS_PROFILE names, of a sign-in by
 * SSO, of a program, of a machine at AWS. Amazon's library finds and renews them and keeps them in memory only; so does
 * this.
 */

import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import type { Headers, Unsigned } from '../wire/exchange.ts';
import { findNetworkFailure } from '../wire/networkErrors.ts';

/** Advice for a user who has no credentials, or whose credentials are refused. */
export const signIn = () =>
  t(
    'Run "aws sso login" or "aws configure" in a terminal, or set a Bedrock API key with "Folio: Set API Key", then retry.',
  );

/** The libraries are loaded with the first request. */
export class AwsCredentials {
  private provider: ReturnType<typeof load> | undefined;

  /** Gives the headers of the request with its signature. Rejects with a `ModelError`. */
  async sign({ url, method, headers, body }: Unsigned, region: string): Promise<Headers> {
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

  /** After they were refused: a user may have signed in again meanwhile. */
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
  // A bundled CommonJS module has its exports under `default` alone.
  const { defaultProvider } = (await import('@aws-sdk/credential-provider-node')).default;
  return defaultProvider();
}

/** Causes are not kept: the library's errors may quote what was to be exchanged for credentials. */
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
  if (/could not load credentials/i.test(message)) return t('No AWS credentials were found. {0}', signIn());
  return t('The AWS credentials could not be read. {0}', signIn());
}
