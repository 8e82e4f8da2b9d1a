/* Texts about keys pasted into a wrong field, so that they are not sent to another service, and about addresses. */

import { t } from '../../../protocol/language.ts';
import { detectKeyFormat, type KeyFormat } from '../../base/keyForms.ts';

/** Shown while the key is in another owner's field. Enter then uses it for its own. */
export const misplacedKeyMessages = (): Readonly<Record<KeyFormat, string>> => ({
  gemini: t(
    'This is a Gemini key (AIza…), but you chose another provider. Press Enter to use it with Gemini.',
  ),
  anthropic: t(
    'This is an Anthropic key (sk-ant-…), but you chose another provider. Press Enter to use it with Anthropic.',
  ),
  openai: t(
    'This is an OpenAI-style key (sk-…), but you chose another provider. Press Enter to enter its server.',
  ),
  bedrock: t(
    'This is a key for Amazon Bedrock (ABSK…), but you chose another provider. Press Enter to use it with Bedrock.',
  ),
});

/** Returns `undefined` if the text may be an address. Never quotes the text: it might be a key. */
export function validateAddress(text: string): string | undefined {
  const address = text.trim();
  if (detectKeyFormat(address))
    return t('This is a key, not an address. Folio asks for the key in the next step.');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    return t('Type an address that begins with http:// or https://, for example http://192.168.0.7:8080/v1.');
  }
  if (url.username || url.password) {
    return t('Remove the name and password from the address. Folio asks for the key in the next step.');
  }
  return undefined;
}

/** Completes or trims a copied address to the form of the setting. */
export function completeAddress(text: string): string {
  const url = new URL(text.trim());
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|models)$/, '');
  return `${url.origin}${path || '/v1'}`;
}

/** Returns `undefined` if the text may be an AWS region. */
export function validateRegion(text: string): string | undefined {
  return /^[a-z]{2}(-[a-z]+)+-\d+$/.test(text.trim())
    ? undefined
    : t('Type a region as AWS writes it, for example us-east-1 or eu-central-1.');
}

/** Returns `undefined` if the text may be a Google Cloud project id. */
export function validateProject(text: string): string | undefined {
  const project = text.trim();
  if (detectKeyFormat(project)) {
    return t(
      'This is a key, but Vertex AI does not use keys. Press Escape and choose a provider that uses a key.',
    );
  }
  return /^[a-z0-9][a-z0-9.:-]*$/i.test(project)
    ? undefined
    : t('Type the id of the project as Google Cloud shows it, for example my-project-123.');
}
