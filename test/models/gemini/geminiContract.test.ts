import { geminiAt } from '../../support/geminiClient.ts';
import { geminiAnswer } from '../../support/geminiContractAnswers.ts';
import { asksOf, findDeadAddress, startGeminiServer } from '../../support/geminiServer.ts';
import { providerContract } from '../../support/providerContract.ts';

providerContract('The provider of Gemini', async ({ key = 'test-key', dead } = {}) => {
  const server = await startGeminiServer({ apiKey: 'test-key' });
  return {
    provider: geminiAt(dead ? await findDeadAddress() : server.baseUrl, key),
    script: (...answers) => server.script(...answers.map(geminiAnswer)),
    ...asksOf(server),
    demandsCall: () => server.requests.at(-1)?.body.toolConfig?.functionCallingConfig?.mode === 'ANY',
    dispose: () => server.dispose(),
  };
});
