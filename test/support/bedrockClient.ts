/* The Bedrock provider with Amazon's credential library. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import type { BedrockConnection } from '../../src/extension/models/bedrock/bedrockEndpoint.ts';
import { createBedrockProvider } from '../../src/extension/models/bedrock/bedrockProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { AwsKeys } from './awsSignature.ts';

export const region = 'eu-central-1';

export function bedrockAt(baseUrl: string, more: Partial<BedrockConnection> = {}): ModelProvider {
  let ids = 0;
  return createBedrockProvider({
    region: () => region,
    apiKey: async () => undefined,
    baseUrl: () => baseUrl.replace(/\/v1$/, ''),
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
    cacheLifetime: () => '5m',
    ...more,
  });
}

/** Environment variables that Amazon's library reads. */
const variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'AWS_EC2_METADATA_DISABLED',
] as const;

/** Sets only these keys until the returned function is called. The instance metadata service is disabled. */
export function useAwsKeys(keys: AwsKeys | undefined): () => void {
  const before = variables.map(name => [name, process.env[name]] as const);
  const given: Partial<Record<string, string | undefined>> = {
    AWS_ACCESS_KEY_ID: keys?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys?.secretAccessKey,
    AWS_SESSION_TOKEN: keys?.sessionToken,
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
    AWS_CONFIG_FILE: '/nowhere/config',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  for (const name of variables) write(name, given[name]);
  return () => {
    for (const [name, value] of before) write(name, value);
  };
}

function write(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
