import type { Surroundings } from '../../protocol/messages.ts';

/** What is missing to reach a model, for each who may answer. */
const missing: Readonly<Record<NonNullable<Surroundings['provider']>, string>> = {
  gemini: 'No model is connected yet.',
  openai: 'There is neither an API key nor the address of a server.',
  vertex: 'Vertex AI is chosen, but there are no Google credentials.',
  vscode: "VS Code's models are chosen, but no extension offers one.",
};

export function describeMissing({ provider = 'gemini' }: Surroundings): string {
  return missing[provider];
}
