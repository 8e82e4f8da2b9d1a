/* While a prompt is typed the code of its model is loaded, and nothing leaves the machine. */

import { expect, test } from 'vitest';
import type { TransportRequest } from '../../src/extension/platform/http/httpTransport.ts';
import type { ProviderName } from '../../src/extension/platform/settings.ts';
import { plainProvider } from '../support/plainProvider.ts';

test.each<ProviderName>(['gemini', 'anthropic', 'openai', 'openai-responses', 'vertex', 'bedrock'])(
  'loading the code of %s asks for no key and sends nothing',
  async name => {
    const asked: string[] = [];
    const provider = plainProvider({
      provider: () => name,
      apiKey: async of => void asked.push(`key of ${of}`),
      transport: {
        send: async ({ url }: TransportRequest) => {
          asked.push(url);
          throw new Error('Nothing is to be sent.');
        },
      },
    });
    await provider.load?.('some-model');
    expect(provider.load).toBeDefined();
    expect(asked).toEqual([]);
  },
);
