import { anthropicAt } from '../../support/anthropicClient.ts';
import { messagesAnswer } from '../../support/anthropicContractAnswers.ts';
import { startAnthropicServer } from '../../support/anthropicServer.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import { providerContract } from '../../support/providerContract.ts';
import { asksOf } from '../../support/scriptedServer.ts';

providerContract("The provider of Anthropic's Messages", async ({ key = 'test-key', dead } = {}) => {
  const server = await startAnthropicServer({ apiKey: 'test-key', anyModelAs: 'claude-sonnet-4-6' });
  return {
    provider: anthropicAt(dead ? await findDeadAddress() : server.baseUrl, key),
    script: (...answers) => server.script(...answers.map(messagesAnswer)),
    ...asksOf(server),
    demandsCall: () => server.requests.at(-1)?.body.tool_choice?.type === 'any',
    dispose: () => server.dispose(),
  };
});
