/* The provider of OpenAI's Responses with the real client. */

import { ResponsesProvider } from '../../src/extension/models/responses/responsesProvider.ts';

export function responsesAt(baseUrl: string, apiKey: string | undefined = 'test-key'): ResponsesProvider {
  let ids = 0;
  return new ResponsesProvider({
    apiKey: async () => apiKey,
    baseUrl: () => baseUrl,
    newId: () => `call-${++ids}`,
    contextLimit: () => 32_768,
  });
}
