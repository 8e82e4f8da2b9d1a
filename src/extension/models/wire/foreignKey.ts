import { type KeyForm, ownerOfKey } from '../../base/keyForms.ts';

const owners: Readonly<Record<KeyForm, string>> = {
  gemini: 'looks like one for Gemini (AIza…)',
  anthropic: 'looks like one for Anthropic (sk-ant-…)',
  openai: 'looks like one for OpenAI or a server like it (sk-…)',
  bedrock: 'looks like one for Amazon Bedrock (ABSK…)',
};

/**
 * A sentence for a key that was refused.
 * @param at the beginning of the sentence
 * @param form of the keys that are taken there
 */
export function refusedKey(at: string, key: string | undefined, form: KeyForm): string {
  const owner = ownerOfKey(key ?? '');
  if (owner === undefined || owner === form)
    return `${at} rejected the API key. Set a valid one with "Folio: Set API Key".`;
  return `${at} rejected the API key, which ${owners[owner]}. Set the right one with "Folio: Set API Key", or choose its provider with "Folio: Connect a Model".`;
}
