/* Addresses and names at Azure, as people copy them. */

import { t } from '../../../protocol/language.ts';
import { ownerOfKey } from '../../base/keyForms.ts';
import { findAddressFault } from './keyWords.ts';

/** A model of OpenAI's in a resource at Azure. */
export interface Deployment {
  /** Up to and with `/v1`; empty: none is named. */
  readonly address: string;
  /** Empty: none is named. */
  readonly name: string;
}

/** The address is that of a resource at Azure, or of a gateway that Azure runs in front of one. */
export function isAtAzure(address: string): boolean {
  return /\.azure(-api)?\.(com|us|cn|net)$/.test(URL.canParse(address) ? new URL(address).hostname : '');
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** `undefined`: the text may be an endpoint. It is never quoted: it might be a key. */
export function findEndpointFault(text: string): string | undefined {
  return (
    findAddressFault(text) &&
    t('Type an endpoint such as https://NAME.openai.azure.com. The key is asked for later.')
  );
}

/** Also where a user copied the address of requests, which names the deployment. */
export function parseEndpoint(text: string): Deployment {
  const { origin, pathname } = new URL(text.trim());
  const [, name = ''] = /\/openai\/deployments\/([^/]+)/.exec(pathname) ?? [];
  // The page of a project names a path that is none of the models'.
  const [before] = pathname.replace(/^\/api\/projects\/.*/, '').split(/\/openai(\/|$)/);
  const version = /^(.*\/v1)(\/|$)/.exec(pathname)?.[1];
  const path = name === '' && version ? version : `${before!.replace(/\/+$/, '')}/openai/v1`;
  return { address: `${origin}${path}`, name: decodeURIComponent(name) };
}

/** `undefined`: the text may be the name of a deployment. */
export function findDeploymentFault(text: string): string | undefined {
  const name = text.trim();
  if (ownerOfKey(name)) return t('This is a key. Enter the deployment first. Folio asks for the key later.');
  return /^[\w.-]{1,64}$/.test(name)
    ? undefined
    : t('Type the name of the deployment as the Azure portal shows it, for example gpt-5.1.');
}
