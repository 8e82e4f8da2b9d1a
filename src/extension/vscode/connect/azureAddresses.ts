/* Parses addresses and names at Azure as users copy them. */

import { t } from '../../../protocol/language.ts';
import { detectKeyFormat } from '../../base/keyForms.ts';
import { validateAddress } from './keyTexts.ts';

/** An OpenAI model in an Azure resource. */
export interface Deployment {
  /** Up to and including `/v1`; empty if not given. */
  readonly address: string;
  /** Empty if not given. */
  readonly name: string;
}

/** True for an Azure resource, or an Azure gateway in front of one. */
export function isAtAzure(address: string): boolean {
  return /\.azure(-api)?\.(com|us|cn|net)$/.test(URL.canParse(address) ? new URL(address).hostname : '');
}

/** Host and port, or the text itself if it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** Returns `undefined` if the text may be an endpoint. Never quotes the text: it might be a key. */
export function validateEndpoint(text: string): string | undefined {
  return (
    validateAddress(text) &&
    t('Type an endpoint such as https://NAME.openai.azure.com. The key is asked for later.')
  );
}

/** Also accepts the address of requests, which contains the deployment. */
export function parseDeployment(text: string): Deployment {
  const { origin, pathname } = new URL(text.trim());
  const [, name = ''] = /\/openai\/deployments\/([^/]+)/.exec(pathname) ?? [];
  // A project page's path is not one of the models.
  const [before] = pathname.replace(/^\/api\/projects\/.*/, '').split(/\/openai(\/|$)/);
  const version = /^(.*\/v1)(\/|$)/.exec(pathname)?.[1];
  const path = name === '' && version ? version : `${before!.replace(/\/+$/, '')}/openai/v1`;
  return { address: `${origin}${path}`, name: decodeURIComponent(name) };
}

/** Returns `undefined` if the text may be the name of a deployment. */
export function validateDeployment(text: string): string | undefined {
  const name = text.trim();
  if (detectKeyFormat(name))
    return t('This is a key. Enter the deployment first. Folio asks for the key later.');
  return /^[\w.-]{1,64}$/.test(name)
    ? undefined
    : t('Type the name of the deployment as the Azure portal shows it, for example gpt-5.1.');
}
