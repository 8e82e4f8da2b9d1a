import { t } from '../../protocol/language.ts';
import type { Environment } from '../../protocol/panel/messages.ts';

/** Says for each provider what is missing to connect. */
const missing = (): Readonly<Record<NonNullable<Environment['provider']>, string>> => ({
  gemini: t('No model is connected yet.'),
  anthropic: t('Anthropic is chosen, but there is no API key.'),
  'openai-responses': t('OpenAI is chosen, but there is no API key.'),
  openai: t('There is neither an API key nor the address of a server.'),
  vertex: t('Vertex AI is chosen, but there are no Google credentials.'),
  bedrock: t('Amazon Bedrock is chosen, but there are neither AWS credentials nor an API key.'),
  vscode: t("VS Code's models are chosen, but no extension offers one."),
});

export function describeMissing({ provider = 'gemini' }: Environment): string {
  return missing()[provider];
}
