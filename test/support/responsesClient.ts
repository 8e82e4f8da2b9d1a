/* The provider of OpenAI's Responses with the real client. */

import { ResponsesProvider } from '../../src/extension/models/responses/responsesProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { Verbosity } from '../../src/extension/platform/settings.ts';

export function responsesAt(
  baseUrl: string,
  apiKey: string | undefined = 'test-key',
  verbosity?: Verbosity,
): ResponsesProvider {
  let ids = 0;
  return new ResponsesProvider({
    apiKey: async () => apiKey,
    baseUrl: () => baseUrl,
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
    contextLimit: () => 32_768,
    verbosity: () => verbosity,
  });
}
