import type { ModelProvider } from '../../../src/extension/core/model.ts';
import { createLanguageModelProvider } from '../../../src/extension/vscode/languageModels/languageModelProvider.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import { chatAnswer } from '../../support/openaiContractAnswers.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import { providerContract } from '../../support/providerContract.ts';
import { asksOf } from '../../support/scriptedServer.ts';
import { wireLanguageModels } from '../../support/wireLanguageModels.ts';

providerContract(
  "The provider of VS Code's own models",
  async ({ key = 'test-key', dead } = {}) => {
    const server = await startOpenAiServer({ apiKey: 'test-key' });
    const baseUrl = dead ? `${await findDeadAddress()}/v1` : server.baseUrl;
    let ids = 0;
    const models = wireLanguageModels({ baseUrl, key });
    return {
      provider: askingOne(createLanguageModelProvider(models, () => `call-${++ids}`)),
      script: (...answers) => server.script(...answers.map(chatAnswer)),
      ...asksOf(server),
      demandsCall: () => server.requests.at(-1)?.body.tool_choice === 'required',
      dispose: () => server.dispose(),
    };
  },
  {
    remedy: 'agree when VS Code asks',
    refusal: 'forbidden',
    knowsNoIntent: true,
    listsLocally: true,
    knowsNoLimit: true,
    notifies: {
      // Between the server and Folio stands another extension, which gives words for these and no sign.
      'a request that it cannot work with': ['unknown', false],
      'a page instead of a stream': ['unknown', false],
      'a stream that ends within a chunk': ['unknown', false],
      'a stream that ends within a character': ['unknown', false],
      'an empty stream': ['unknown', false],
    },
  },
);

/** The contract asks any model; here a model must be one that is offered. */
function askingOne(provider: ModelProvider): ModelProvider {
  return { ...provider, stream: request => provider.stream({ ...request, model: 'wire/qwen3' }) };
}
