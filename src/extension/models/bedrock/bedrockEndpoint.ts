import { t } from '../../../protocol/language.ts';
import { ModelError } from '../../core/model.ts';
import type { AnthropicConnection } from '../anthropic/anthropicProvider.ts';

/** Address and key as for any service. Without a key, the machine's AWS credentials sign each request. */
export interface BedrockConnection extends AnthropicConnection {
  /** For example `eu-central-1`. Empty if unset. */
  readonly region: () => string;
}

/** Checks the name, because it becomes part of the address. */
export function findRegion(connection: Pick<BedrockConnection, 'region'>): string {
  const region = connection.region().trim();
  if (region === '')
    throw settingError(() =>
      t('No AWS region is set. Set folio.bedrock.region to one that runs the model, such as us-east-1.'),
    );
  if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region))
    throw settingError(() => t('The AWS region is not valid. Correct folio.bedrock.region.'));
  return region;
}

/**
 * Builds the endpoint from AWS's list of Bedrock endpoints, unless an address is set. `bedrock-runtime` answers
 * prompts, `bedrock` lists models.
 */
export function bedrockEndpoint(part: 'bedrock-runtime' | 'bedrock', connection: BedrockConnection): string {
  const given = connection.baseUrl().trim().replace(/\/+$/, '');
  const region = findRegion(connection);
  if (given !== '') return given;
  return `https://${part}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function settingError(say: () => string): ModelError {
  return new ModelError('badRequest', say, { retryable: false });
}
