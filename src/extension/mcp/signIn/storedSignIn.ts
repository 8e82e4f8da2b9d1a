/* The record of a sign-in: the tokens, and the client that Folio is for the server that gave them. */

import { createHash } from 'node:crypto';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';
import type { KeptSecrets } from '../../platform/secrets.ts';

export interface StoredSignIn {
  /** Bound to their issuer, as the client is: another service gets neither. */
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
  /** Where the answer of the newest sign-in came in, so that the next one can use the same registration. */
  readonly redirectUrl?: string;
  /** The rights of the newest sign-in, as the service names them; absent: it decided. */
  readonly scope?: string | undefined;
  /** The newest sign-in ended without an answer: the service may have forgotten the client, and told the user alone. */
  readonly isUnanswered?: true | undefined;
}

/**
 * Bound to the address: an entry of the same name that leads elsewhere, which a workspace may bring, must not get the
 * tokens.
 */
export function signInName(server: string, url: string): string {
  const { origin, pathname } = new URL(url);
  const digest = createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 16);
  return `mcp.${server}.${digest}`;
}

export async function findSignIn(secrets: KeptSecrets, name: string): Promise<StoredSignIn> {
  const text = await secrets.find(name);
  if (text === undefined) return {};
  try {
    const stored: unknown = JSON.parse(text);
    return isRecord(stored) ? stored : {};
  } catch {
    // Not ours, or cut off: as if there were none, so the user signs in again.
    return {};
  }
}
