import { expect, test } from 'vitest';
import type { ModelEvent } from '../../src/extension/core/model.ts';
import { readRestrictions } from '../../src/extension/node/settings/allowLists.ts';
import { plainProvider } from '../support/plainProvider.ts';

function restricted(folio: object) {
  const asked: string[] = [];
  const { restrictions } = readRestrictions({ folio }, '/settings.json');
  const provider = plainProvider({
    provider: () => 'openai',
    others: () => ['anthropic'],
    apiKey: async of => void asked.push(`key of ${of}`),
    transport: {
      send: async ({ url }) => {
        asked.push(url);
        throw new Error('Nothing is to be sent.');
      },
    },
    restrictions: () => restrictions,
  });
  return { asked, provider };
}

async function endOf(events: AsyncIterable<ModelEvent>): Promise<ModelEvent | undefined> {
  let last: ModelEvent | undefined;
  for await (const event of events) last = event;
  return last;
}

test.each([
  ['gpt-x', { allowedModels: ['other-*'] }, 'does not allow the model gpt-x'],
  ['anthropic:claude-x', { allowedProviders: ['openai'] }, 'does not allow the provider anthropic'],
])('the model %s is not asked with %j, whoever wants it', async (model, folio, why) => {
  const { asked, provider } = restricted(folio);
  const { signal } = new AbortController();
  const request = { model, system: '', messages: [], tools: [], signal };
  const end = await endOf(provider.stream(request));
  expect(end).toMatchObject({
    type: 'end',
    end: { ok: false, error: { kind: 'forbidden', retryable: false } },
  });
  expect(JSON.stringify(end)).not.toContain('key');
  if (end?.type === 'end' && !end.end.ok) expect(end.end.error.message).toContain(why);
  expect(asked).toEqual([]);
});

test('a provider that is not allowed lists nothing', async () => {
  const { asked, provider } = restricted({ allowedProviders: ['bedrock'] });
  const { signal } = new AbortController();
  await expect(provider.listModels(signal)).rejects.toThrow('It allows bedrock.');
  expect(asked).toEqual([]);
});
