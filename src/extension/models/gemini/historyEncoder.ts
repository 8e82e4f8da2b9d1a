/*
 * Every step sends the whole history again, so encoding it would cost more with each step. This file encodes each
 * message once, and replaces a placeholder in the client's body with the cached bytes:
 *
 *   client:  {"contents":[placeholder],"tools":…}
 *   sent:    {"contents":[cached JSON of message 1, of message 2, …],"tools":…}
 *
 * It caches bytes, because text would be encoded again at each step.
 */

import type { Content } from '@google/genai/web';
import type { Message, Part } from '../../../protocol/events.ts';
import { wellFormedJson } from '../wire/wellFormedJson.ts';
import { isGeneration3OrLater } from './models.ts';
import { toContent, withSignature } from './toContent.ts';

const marker = 'folio:history';

/** Stands in for the history, because the client requires one. */
export const contentsPlaceholder: Content[] = [{ role: 'user', parts: [{ text: marker }] }];

/** Quotes inside a JSON string are escaped, so only the real key can match. */
const placeholderJson = new RegExp(`"contents":\\[\\{[^\\]]*"${marker}"[^\\]]*\\][^\\]]*\\}\\]`);

/** Caches encoded JSON. System prompt and tools seldom change between requests. */
class EncodingCache {
  private text = '';
  private bytes: Uint8Array = Buffer.alloc(0);

  of(text: string): Uint8Array {
    if (text !== this.text) {
      this.text = text;
      this.bytes = Buffer.from(wellFormedJson(text));
    }
    return this.bytes;
  }
}

interface Turned {
  readonly content: Content;
  /** JSON in UTF-8 with a leading comma. */
  readonly json: Uint8Array;
}

/** Encodes messages and caches the result as long as the message lives. */
export class HistoryEncoder {
  private readonly before = new EncodingCache();
  private readonly after = new EncodingCache();
  private turned = new WeakMap<Message, Turned>();
  private nested = false;
  /** Signatures that the service rejected. */
  private readonly refused = new Set<string>();

  /**
   * Omits the signatures of these messages from now on. The service rejects those from elsewhere, for example from the
   * same model at Vertex AI or from another key.
   * @returns false if no signature had been sent
   */
  leaveOutSignatures(messages: readonly Message[]): boolean {
    const sent = messages.flatMap(({ parts }) => parts.flatMap(part => signatureOf(part) ?? []));
    const fresh = sent.filter(signature => !this.refused.has(signature));
    for (const signature of fresh) this.refused.add(signature);
    if (fresh.length > 0) this.turned = new WeakMap();
    return fresh.length > 0;
  }

  /**
   * Returns the body in chunks, with the history in place of the placeholder. Throws if the placeholder is missing,
   * which is a bug of ours.
   */
  putInto(body: string, history: readonly Uint8Array[]): readonly Uint8Array[] {
    const place = placeholderJson.exec(body);
    if (!place) throw new Error('The request of the client has no place for the history.');
    const before = this.before.of(`${body.slice(0, place.index)}"contents":[`);
    const after = this.after.of(`]${body.slice(place.index + place[0].length)}`);
    return [before, ...history, after];
  }

  /** Returns the chunks of a JSON array of contents without its brackets. Roles alternate. */
  encode(messages: readonly Message[], model: string): readonly Uint8Array[] {
    const nested = isGeneration3OrLater(model);
    if (nested !== this.nested) this.turned = new WeakMap();
    this.nested = nested;
    const all = alternate(messages.map(message => this.turn(message)));
    const pieces = (nested ? signActiveLoop(all) : all).map(({ json }) => json);
    const [first] = pieces;
    // The first element has no leading comma.
    if (first) pieces[0] = first.subarray(1);
    return pieces;
  }

  private turn(message: Message): Turned {
    const known = this.turned.get(message);
    if (known) return known;
    const made = turnedOf(toContent(this.readable(message), this.nested));
    this.turned.set(message, made);
    return made;
  }

  private readable(message: Message): Message {
    if (this.refused.size === 0) return message;
    return { ...message, parts: message.parts.map(part => this.readablePart(part)) };
  }

  private readablePart(part: Part): Part {
    if (!('signature' in part) || !this.refused.has(part.signature ?? '')) return part;
    const { signature: _refused, ...rest } = part;
    return rest;
  }
}

function signatureOf(part: Part): string | undefined {
  return 'signature' in part ? part.signature : undefined;
}

/**
 * Merges adjacent messages of the same role, where a message between them had nothing to send (only thoughts, for
 * example).
 */
function alternate(all: readonly Turned[]): readonly Turned[] {
  const result: Turned[] = [];
  for (const next of all) {
    if (!next.content.parts?.length) continue;
    const last = result.at(-1)?.content;
    if (!last || last.role !== next.content.role) result.push(next);
    else result[result.length - 1] = turnedOf({ ...last, parts: [...last.parts!, ...next.content.parts!] });
  }
  return result;
}

/** The service checks the signatures of everything after the last prompt. */
function signActiveLoop(all: readonly Turned[]): readonly Turned[] {
  const prompt = all.findLastIndex(
    ({ content: { role, parts } }) => role === 'user' && !parts?.some(part => part.functionResponse),
  );
  return all.map((turned, at) => {
    if (at <= prompt || turned.content.role !== 'model') return turned;
    const signed = withSignature(turned.content);
    return signed === turned.content ? turned : turnedOf(signed);
  });
}

function turnedOf(content: Content): Turned {
  return { content, json: Buffer.from(wellFormedJson(`,${JSON.stringify(content)}`)) };
}
