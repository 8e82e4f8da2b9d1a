import type { CompletionChoice } from '../../../protocol/mentions.ts';
import { oneLine } from '../../base/text.ts';
import { quoteMention } from './formatMention.ts';
import { exactScore, makeMatchQuery, makeRankEntry } from './matchScore.ts';
import { parseMentions } from './parseMentions.ts';
import { type ServerResources, toResourceUri } from './resources.ts';

export interface ScoredChoice {
  readonly choice: CompletionChoice;
  readonly score: number;
}

/** Servers may list any number, but only this many are matched per keystroke. */
const maxScanned = 5_000;
const maxDetailLength = 100;

/** Best first; equal scores while nothing is typed. Uses known lists and sends no request to servers. */
export function completeResources(
  servers: ServerResources | undefined,
  typed: string,
  limit: number,
): readonly ScoredChoice[] {
  if (!servers) return [];
  const query = makeMatchQuery(typed);
  const found: ScoredChoice[] = [];
  for (const offer of offers(servers).slice(0, maxScanned)) {
    const score = Math.max(
      exactScore(makeRankEntry(offer.address), query),
      exactScore(makeRankEntry(`${offer.server}/${offer.name}`), query),
    );
    if (query.lower === '' || score >= 0) found.push({ choice: toChoice(offer), score });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, limit);
}

interface Offer {
  readonly server: string;
  /** `server:uri`. */
  readonly address: string;
  /** The address up to the first placeholder of a template. */
  readonly begun: string;
  readonly name: string;
  readonly description: string;
}

function offers(servers: ServerResources): readonly Offer[] {
  const listed = servers.resources().map(({ server, uri, ...rest }) => {
    return { server, ...rest, address: `${server}:${uri}`, begun: `${server}:${uri}` };
  });
  const open = servers.templates().map(({ server, uriTemplate, ...rest }) => {
    const begun = `${server}:${uriTemplate.replace(/\{[\s\S]*/, '')}`;
    return { server, ...rest, address: `${server}:${uriTemplate}`, begun };
  });
  // Hidden characters could disguise the address.
  return [...listed, ...open].filter(({ address }) => !/[\p{C}\u2028\u2029]/u.test(address));
}

function toChoice({ address, begun, name, description }: Offer): CompletionChoice {
  const isWhole = begun === address;
  const detail = oneLine([name, description].filter(Boolean).join(': '), maxDetailLength);
  return {
    kind: 'resource',
    label: address,
    insert: isWhole ? `${writeResource(address)} ` : `@${begun}`,
    detail: detail || undefined,
  };
}

/** Writes it plainly if it parses back unchanged, else in quotes. */
function writeResource(address: string): string {
  const [thing] = parseMentions(`@${address} `);
  const first = thing?.kind === 'path' ? thing.readings[0] : undefined;
  return first && toResourceUri(first) === address ? `@${address}` : quoteMention(address);
}
