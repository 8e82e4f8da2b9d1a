/* Reads the card of an agent on another server: its endpoint and protocol version. */

import { t } from '../../../../protocol/language.ts';
import { isRecord } from '../../../base/record.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { RemoteAgentError, type RemoteEndpoint } from './remoteAgents.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Throws `RemoteAgentError` if the agent card is invalid.
 * @param from URL of the card, whose origin the endpoint must share. Absent for a card in a file
 */
export function parseAgentCard(card: unknown, from?: string): RemoteEndpoint {
  const place = from === undefined ? '`agent_card_json`' : from;
  const interfaces = isRecord(card) ? interfacesOf(card) : [];
  if (!isRecord(card) || interfaces.length === 0)
    throw new RemoteAgentError(() => t('{0} is not an agent card: it has no address.', place));
  const spoken = interfaces.find(isSpoken);
  if (spoken === undefined) throw new RemoteAgentError(() => unspoken(place, interfaces));
  const { url, version, tenant } = spoken;
  const { capabilities } = card;
  return {
    url: from === undefined ? safeAddress(url, place) : addressBeside(url, from),
    version: String(version).startsWith('1') ? '1' : '0.3',
    streams: isRecord(capabilities) && capabilities.streaming === true,
    tenant: typeof tenant === 'string' && tenant !== '' ? tenant : undefined,
  };
}

interface Interface {
  readonly url: string;
  readonly binding: unknown;
  readonly version: unknown;
  readonly tenant?: unknown;
}

/** Lists interfaces of version 1.0, then 0.3. The main one of 0.3 uses JSON-RPC by default. */
function interfacesOf(card: Members): readonly Interface[] {
  const { url, preferredTransport = 'JSONRPC', protocolVersion = '0.3' } = card;
  const main =
    typeof url === 'string' ? [{ url, binding: preferredTransport, version: protocolVersion }] : [];
  return [
    ...listOf(card.supportedInterfaces).map(each => ({
      url: each.url as string,
      binding: each.protocolBinding,
      version: each.protocolVersion ?? '1.0',
      tenant: each.tenant,
    })),
    ...main,
    ...listOf(card.additionalInterfaces).map(each => ({
      url: each.url as string,
      binding: each.transport,
      version: protocolVersion,
    })),
  ];
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(each => isRecord(each) && typeof each.url === 'string') : [];
}

function isSpoken({ binding, version }: Interface): boolean {
  return /^json-?rpc$/i.test(String(binding)) && /^(0\.3|1)(\.|$)/.test(String(version));
}

function unspoken(place: string, interfaces: readonly Interface[]): string {
  const spoken = interfaces.map(({ binding, version }) => `${String(binding)} ${String(version)}`);
  return t(
    'The agent of {0} uses {1}. Folio supports only JSONRPC of A2A 0.3 and 1.0.',
    place,
    sanitiseLine([...new Set(spoken)].join(', '), 100),
  );
}

/** Throws if the request would not be encrypted, or the URL contains a user name or password. */
function safeAddress(url: string, place: string): string {
  if (isSecureUrl(url)) return new URL(url).href;
  throw new RemoteAgentError(() =>
    t('{0} has an address without https://: {1}.', place, sanitiseLine(url, 200)),
  );
}

/** True if requests to the URL are encrypted or stay on this computer, and it contains no user name or password. */
export function isSecureUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/**
 * Servers often name the address that they listen on, or one behind a TLS proxy, instead of their public one. These are
 * replaced by the card's origin.
 */
function addressBeside(named: string, from: string): string {
  const card = new URL(from);
  if (!URL.canParse(named, from)) return safeAddress(named, from);
  const url = new URL(named, from);
  const isHere = isLoopback(card.hostname) && isOfThisComputer(url.hostname) && url.port === card.port;
  const isBehindProxy =
    card.protocol === 'https:' && url.protocol === 'http:' && url.hostname === card.hostname;
  if (url.origin === card.origin || isHere || isBehindProxy)
    return new URL(`${url.pathname}${url.search}`, card.origin).href;
  throw new RemoteAgentError(() =>
    t(
      'The card at {0} forwards tasks to {1}, but Folio sends tasks and keys only to {2}. If you trust the other address, put the card into the file as `agent_card_json`.',
      from,
      sanitiseLine(url.origin, 200),
      card.origin,
    ),
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Includes the wildcard addresses of servers that listen on all interfaces. */
function isOfThisComputer(hostname: string): boolean {
  return isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
}
