import { scaleInThread } from '../../src/extension/compose/scaleInThread.ts';
import type { ModelProvider } from '../../src/extension/core/model.ts';
import { chosenProvider } from '../../src/extension/models/chosenProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';

type Choice = Parameters<typeof chosenProvider>[0];

/** The provider as the program has it, with nothing set but what is given. */
export function plainProvider(choice: Pick<Choice, 'provider'> & Partial<Choice>): ModelProvider {
  return chosenProvider({
    others: () => [],
    apiKey: async () => 'test',
    baseUrl: () => '',
    newId: () => 'id',
    transport: new NodeTransport(),
    scalePicture: scaleInThread,
    contextLimit: () => 32_768,
    effort: () => undefined,
    cacheLifetime: () => '5m',
    verbosity: () => undefined,
    bedrock: { region: () => '' },
    vertex: { project: () => '', location: () => '' },
    ...choice,
  });
}
