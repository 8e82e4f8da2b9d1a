import { messagesAnswer } from '../../support/anthropicContractAnswers.ts';
import { bedrockAt, region, useAwsKeys } from '../../support/bedrockClient.ts';
import { startBedrockServer } from '../../support/bedrockServer.ts';
import { findDeadAddress } from '../../support/geminiServer.ts';
import { providerContract } from '../../support/providerContract.ts';
import { asksOf } from '../../support/scriptedServer.ts';

providerContract(
  'The provider of Amazon Bedrock',
  async ({ key = 'test-key', dead } = {}) => {
    const restore = useAwsKeys({ accessKeyId: 'AKIATEST', secretAccessKey: key });
    const server = await startBedrockServer({
      region,
      keys: { accessKeyId: 'AKIATEST', secretAccessKey: 'test-key' },
      model: 'gemini-2.5-pro',
      like: 'claude-sonnet-4-6',
      profiles: [{ id: 'eu.anthropic.claude-sonnet-4-6', name: 'EU Claude Sonnet 4.6' }],
    });
    return {
      provider: bedrockAt(dead ? await findDeadAddress() : server.baseUrl),
      script: (...answers) => server.script(...answers.map(messagesAnswer)),
      ...asksOf(server),
      demandsCall: () => server.requests.at(-1)?.body.tool_choice?.type === 'any',
      dispose: async () => {
        restore();
        await server.dispose();
      },
    };
  },
  { remedy: '"aws sso login"' },
);
