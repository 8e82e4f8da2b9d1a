/* A stored sign-in: the tokens, and Folio's client registration at their issuer. */

import { createHash } from 'node:crypto';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { fieldsOf, tryParseJson } from '../../base/record.ts';
import type { StoredSecrets } from '../../platform/secrets.ts';

export interface StoredSignIn {
  /** Tokens and client belong to their issuer; another service gets neither. */
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
  /** Redirect URI of the latest sign-in, so that the next one can reuse the registration. */
  readonly redirectUrl?: string;
  /** Scopes of the latest sign-in, as named by the service. Omitted if the service decided. */
  readonly scope?: string | undefined;
  /** The latest sign-in got no response. The service may have forgotten the client and told only the user. */
  readonly isUnanswered?: true | undefined;
}

/**
 * The name depends on the address: an entry of the same name with another address, for example from a workspace, must
 * not get the tokens.
 */
export function signInName(server: string, url: string): string {
  const { origin, pathname } = new URL(url);
  const digest = createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 16);
  return `mcp.${server}.${digest}`;
}

export async function readStoredSignIn(secrets: StoredSecrets, name: string): Promise<StoredSignIn> {
  const text = await secrets.find(name);
  // Foreign or truncated content counts as no sign-in.
  return fieldsOf(tryParseJson(text ?? ''));
}
