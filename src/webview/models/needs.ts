import type { Surroundings } from '../../protocol/messages.ts';

/** What is missing to reach a model, for each who may answer. */
interface Needs {
  /** On the first page. */
  readonly sentence: string;
  /** Over the composer, when it was there before. */
  readonly missing: string;
  readonly action: string;
}

const ofKey: Needs = {
  sentence: "Folio works with a Gemini API key of yours, kept in VS Code's secret storage.",
  missing: 'No API key is set.',
  action: 'Set API key',
};

const needs: Readonly<Record<NonNullable<Surroundings['provider']>, Needs>> = {
  gemini: ofKey,
  openai: {
    sentence:
      "Folio works with an API key of yours, kept in VS Code's secret storage, or a server that needs none.",
    missing: 'There is neither an API key nor the address of a server.',
    action: 'Set API key',
  },
  vertex: {
    sentence: 'Folio works with your Google credentials on Vertex AI, which are not there yet.',
    missing: 'There are no Google credentials.',
    action: 'What is needed',
  },
  vscode: {
    sentence: 'Folio works with models that extensions of VS Code offer, and none offers one yet.',
    missing: 'No extension offers a model.',
    action: 'What is needed',
  },
};

export function describeNeeds({ provider = 'gemini' }: Surroundings): Needs {
  return needs[provider];
}
