import { findDeadAddress } from '../../support/geminiServer.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { chatAnswer } from '../../support/openaiContractAnswers.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import { providerContract } from '../../support/providerContract.ts';
import { asksOf } from '../../support/scriptedServer.ts';

providerContract('The provider of chat completions', async ({ key = 'test-key', dead } = {}) => {
  const server = await startOpenAiServer({ apiKey: 'test-key' });
  return {
    provider: openAiAt(dead ? await findDeadAddress() : server.baseUrl, key),
    script: (...answers) => server.script(...answers.map(chatAnswer)),
    ...asksOf(server),
    demandsCall: () => server.requests.at(-1)?.body.tool_choice === 'required',
    dispose: () => server.dispose(),
  };
});
