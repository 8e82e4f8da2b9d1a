import { geminiAnswer } from '../../support/geminiContractAnswers.ts';
import { asksOf, findDeadAddress, startGeminiServer } from '../../support/geminiServer.ts';
import { startGoogleSignIn } from '../../support/googleSignIn.ts';
import { providerContract } from '../../support/providerContract.ts';
import { place, useCredentials, vertexAt } from '../../support/vertexClient.ts';

providerContract(
  'The provider of Vertex AI',
  async ({ key = 'test-key', dead } = {}) => {
    const signIn = await startGoogleSignIn(key);
    const restore = useCredentials({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
    const server = await startGeminiServer({ vertex: { ...place, token: 'test-key' } });
    return {
      provider: vertexAt(dead ? await findDeadAddress() : server.baseUrl),
      script: (...answers) => server.script(...answers.map(geminiAnswer)),
      ...asksOf(server),
      demandsCall: () => server.requests.at(-1)?.body.toolConfig?.functionCallingConfig?.mode === 'ANY',
      dispose: async () => {
        restore();
        await Promise.all([server.dispose(), signIn.dispose()]);
      },
    };
  },
  { remedy: '"gcloud auth application-default login"' },
);
