import { findDeadAddress } from '../../support/geminiServer.ts';
import { providerContract } from '../../support/providerContract.ts';
import { responsesAt } from '../../support/responsesClient.ts';
import { responsesAnswer } from '../../support/responsesContractAnswers.ts';
import { startResponsesServer } from '../../support/responsesServer.ts';
import { asksOf } from '../../support/scriptedServer.ts';

providerContract("The provider of OpenAI's Responses", async ({ key = 'test-key', dead } = {}) => {
  const server = await startResponsesServer({ apiKey: 'test-key' });
  return {
    provider: responsesAt(dead ? `${await findDeadAddress()}/v1` : server.baseUrl, key),
    script: (...answers) => server.script(...answers.map(responsesAnswer)),
    ...asksOf(server),
    demandsCall: () => server.requests.at(-1)?.body.tool_choice === 'required',
    dispose: () => server.dispose(),
  };
});
