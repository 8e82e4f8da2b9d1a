/* While a prompt is typed the code of its model is loaded, and nothing leaves the machine. */

import { expect, test } from 'vitest';
import { scaleInThread } from '../../src/extension/compose/scaleInThread.ts';
import { chosenProvider } from '../../src/extension/models/chosenProvider.ts';
import type { TransportRequest } from '../../src/extension/platform/http/httpTransport.ts';
import type { ProviderName } from '../../src/extension/platform/settings.ts';

test.each<ProviderName>(['gemini', 'anthropic', 'openai', 'openai-responses', 'vertex', 'bedrock'])(
  'loading the code of %s asks for no key and sends nothing',
  async name => {
    const asked: string[] = [];
    const provider = chosenProvider({
      provider: () => name,
      others: () => [],
      apiKey: async of => void asked.push(`key of ${of}`),
      baseUrl: () => '',
      newId: () => 'id',
      transport: {
        send: async ({ url }: TransportRequest) => {
          asked.push(url);
          throw new Error('Nothing is to be sent.');
        },
      },
      scalePicture: scaleInThread,
      contextLimit: () => 32_768,
      effort: () => undefined,
      cacheLifetime: () => '5m',
      verbosity: () => undefined,
      bedrock: { region: () => '' },
      vertex: { project: () => '', location: () => '' },
    });
    await provider.load?.('some-model');
    expect(provider.load).toBeDefined();
    expect(asked).toEqual([]);
  },
);
