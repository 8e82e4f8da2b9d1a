import type { ServiceWords } from '../gemini/serviceWords.ts';

/** Advice for a person who has no credentials, or whose credentials are refused. */
export const signIn = 'Run "gcloud auth application-default login" in a terminal, then retry.';

export const vertexWords: ServiceWords = {
  name: 'Vertex AI',
  holder: 'this project',
  setting: 'folio.vertex.baseUrl',
  ending: '',
  excess: /\/v1(beta1?)?(\/(projects|publishers).*)?$/,
  places: 'the settings folio.vertex.project and folio.vertex.location',
  permissions: 'that the Vertex AI API is enabled in the project, and your role in it',
  billing: 'its billing and the setting folio.vertex.location',
  rejected: () => `Vertex AI rejected the Google credentials. ${signIn}`,
  missing: `Vertex AI got no credentials. ${signIn}`,
  broken: `The Google credentials gave a token that cannot be sent. ${signIn}`,
};
