import type { Surroundings } from '../../protocol/panel/messages.ts';

/** The missing piece on the way to a model, for each provider. */
const missing: Readonly<Record<NonNullable<Surroundings['provider']>, string>> = {
  gemini: 'No model is connected yet.',
  anthropic: 'Anthropic is chosen, but there is no API key.',
  'openai-responses': 'OpenAI is chosen, but there is no API key.',
  openai: 'There is neither an API key nor the address of a server.',
  vertex: 'Vertex AI is chosen, but there are no Google credentials.',
  bedrock: 'Amazon Bedrock is chosen, but there are neither AWS credentials nor an API key.',
  vscode: "VS Code's models are chosen, but no extension offers one.",
};

export function describeMissing({ provider = 'gemini' }: Surroundings): string {
  return missing[provider];
}
