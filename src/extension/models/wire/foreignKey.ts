import { t } from '../../../protocol/language.ts';
import { type KeyForm, ownerOfKey } from '../../base/keyForms.ts';

function likeness(owner: KeyForm): string {
  switch (owner) {
    case 'gemini':
      return t('looks like one for Gemini (AIza…)');
    case 'anthropic':
      return t('looks like one for Anthropic (sk-ant-…)');
    case 'openai':
      return t('looks like one for OpenAI or a server like it (sk-…)');
    case 'bedrock':
      return t('looks like one for Amazon Bedrock (ABSK…)');
  }
}

/**
 * Sentence for a rejected key.
 * @param at start of the sentence
 * @param form of the keys that the service accepts
 */
export function refusedKey(at: string, key: string | undefined, form: KeyForm): string {
  const owner = ownerOfKey(key ?? '');
  if (owner === undefined || owner === form)
    return t('{0} rejected the API key. Set a valid one with "Folio: Set API Key".', at);
  return t(
    '{0} rejected the API key, which {1}. Set the right one with "Folio: Set API Key", or choose its provider with "Folio: Connect a Model".',
    at,
    likeness(owner),
  );
}
