import { t } from '../../../../protocol/language.ts';
import type { ProviderName } from '../../../platform/settings.ts';

/** As the setting calls them. */
export const providerLabels = (): Readonly<Record<ProviderName, string>> => ({
  gemini: 'Gemini',
  anthropic: 'Anthropic',
  'openai-responses': 'OpenAI',
  openai: 'OpenAI-compatible',
  vertex: 'Vertex AI',
  bedrock: 'Amazon Bedrock',
  vscode: t("VS Code's models"),
});
