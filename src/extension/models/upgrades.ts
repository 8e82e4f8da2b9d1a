/* Pages where users raise a provider's quota or plan. */

import { t } from '../../protocol/language.ts';
import type { ProviderName } from '../platform/settings.ts';

/** The services' own pages. Omitted if there is no single one. */
const pages: Readonly<Partial<Record<ProviderName, string>>> = {
  gemini: 'https://aistudio.google.com/usage',
  anthropic: 'https://console.anthropic.com/settings/billing',
  'openai-responses': 'https://platform.openai.com/settings/organization/billing',
  vertex: 'https://console.cloud.google.com/iam-admin/quotas',
  bedrock: 'https://console.aws.amazon.com/servicequotas/home',
};

/** @param model the session's name for it */
export function describeUpgrade(provider: ProviderName, model: string): string {
  const page = pages[provider];
  if (page !== undefined)
    return t('Get more quota for {0} from its provider: {1}. Then send "continue".', model, page);
  if (provider === 'vscode')
    return t('Get more quota for {0} from the extension that offers it. Then send "continue".', model);
  return t('Ask the operator of the server for more quota for {0}. Then send "continue".', model);
}
