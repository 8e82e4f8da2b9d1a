/* The provider of Anthropic's Messages with the real client. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { createAnthropicProvider } from '../../src/extension/models/anthropic/anthropicProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { CacheLifetime } from '../../src/extension/platform/settings.ts';

export function anthropicAt(
  baseUrl: string,
  apiKey: string | undefined = 'test-key',
  lifetime: CacheLifetime = '5m',
): ModelProvider {
  let ids = 0;
  return createAnthropicProvider({
    apiKey: async () => apiKey,
    baseUrl: () => baseUrl,
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
    cacheLifetime: () => lifetime,
  });
}
