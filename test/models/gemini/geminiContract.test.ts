import { NodeTransport } from '../../../src/extension/node/http/nodeTransport.ts';
import { geminiAt } from '../../support/geminiClient.ts';
import { geminiAnswer } from '../../support/geminiContractAnswers.ts';
import { asksOf, findDeadAddress, startGeminiServer } from '../../support/geminiServer.ts';
import { providerContract } from '../../support/providerContract.ts';

const transports = { fetch: undefined, 'the client of Node': new NodeTransport() };

for (const [name, transport] of Object.entries(transports)) {
  providerContract(`The provider of Gemini over ${name}`, async ({ key = 'test-key', dead } = {}) => {
    const server = await startGeminiServer({ apiKey: 'test-key' });
    return {
      provider: geminiAt(dead ? await findDeadAddress() : server.baseUrl, key, transport),
      script: (...answers) => server.script(...answers.map(geminiAnswer)),
      ...asksOf(server),
      demandsCall: () => server.requests.at(-1)?.body.toolConfig?.functionCallingConfig?.mode === 'ANY',
      dispose: () => server.dispose(),
    };
  });
}
