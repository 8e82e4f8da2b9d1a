import { t } from '../../protocol/language.ts';
import type { Environment } from '../../protocol/panel/messages.ts';

/** Says for each provider what is missing to connect. */
const missing = (): Readonly<Record<NonNullable<Environment['provider']>, string>> => ({
  gemini: t('No model is connected yet.'),
  anthropic: t('Anthropic is selected, but no API key is set.'),
  'openai-responses': t('OpenAI is selected, but no API key is set.'),
  openai: t('There is neither an API key nor the address of a server.'),
  vertex: t('Vertex AI is selected, but no Google credentials were found.'),
  bedrock: t('Amazon Bedrock is selected, but no AWS credentials or API key were found.'),
  vscode: t("VS Code's models are selected, but no extension offers one."),
});

export function describeMissing({ provider = 'gemini' }: Environment): string {
  return missing()[provider];
}
