/* The provider of chat completions with the real client. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { createOpenAiProvider } from '../../src/extension/models/openai/openaiProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';

export function openAiAt(baseUrl: string, apiKey: string | undefined = 'test-key'): ModelProvider {
  let ids = 0;
  return createOpenAiProvider({
    apiKey: async () => apiKey,
    baseUrl: () => baseUrl,
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
    contextLimit: () => 32_768,
  });
}
