/*
 * Every step sends the whole history again, so turning it into JSON would cost more from step to step. Here each
 * message is turned once, and the finished bytes take the place of a placeholder in the body that the client made:
 *
 *   client:  {"contents":[placeholder],"tools":…}
 *   sent:    {"contents":[kept JSON of message 1, of message 2, …],"tools":…}
 *
 * Bytes and not text, which would be encoded as a whole at each step.
 */

import type { Content } from '@google/genai/web';
import type { Message, Part } from '../../../protocol/events.ts';
import { wellFormedJson } from '../wire/wellFormedJson.ts';
import { isThirdGeneration } from './models.ts';
import { toContent, withSignature } from './toContent.ts';

const marker = 'folio:history';

/** Stands in for the history towards the client, which insists on some. */
export const contentsPlaceholder: Content[] = [{ role: 'user', parts: [{ text: marker }] }];

/** Inside of a JSON string the quotes would be escaped, so only the real key can match. */
const placeholderJson = new RegExp(`"contents":\\[\\{[^\\]]*"${marker}"[^\\]]*\\][^\\]]*\\}\\]`);

/** System prompt and tools are seldom others than in the request before. */
class KeptBytes {
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
  /** Its JSON in UTF-8, with a comma before it. */
  readonly json: Uint8Array;
}

/** Keeps what it made as long as the message lives. */
export class HistoryJson {
  private readonly before = new KeptBytes();
  private readonly after = new KeptBytes();
  private turned = new WeakMap<Message, Turned>();
  private nested = false;
  /** Signatures that the service could not open. */
  private readonly refused = new Set<string>();

  /**
   * From now on the signatures of these messages stay out. The service refuses those of another place: of the same
   * model at Vertex AI, say, or behind another key.
   * @returns false when there was none that had been sent
   */
  leaveOutSignatures(messages: readonly Message[]): boolean {
    const sent = messages.flatMap(({ parts }) => parts.flatMap(part => signatureOf(part) ?? []));
    const fresh = sent.filter(signature => !this.refused.has(signature));
    for (const signature of fresh) this.refused.add(signature);
    if (fresh.length > 0) this.turned = new WeakMap();
    return fresh.length > 0;
  }

  /** The body in pieces, with the history in the placeholder's place. Throws when there is no placeholder: a fault of ours. */
  putInto(body: string, history: readonly Uint8Array[]): readonly Uint8Array[] {
    const place = placeholderJson.exec(body);
    if (!place) throw new Error('The request of the client has no place for the history.');
    const before = this.before.of(`${body.slice(0, place.index)}"contents":[`);
    const after = this.after.of(`]${body.slice(place.index + place[0].length)}`);
    return [before, ...history, after];
  }

  /** The pieces of a JSON array of contents, without its brackets. Roles alternate in it. */
  encode(messages: readonly Message[], model: string): readonly Uint8Array[] {
    const nested = isThirdGeneration(model);
    if (nested !== this.nested) this.turned = new WeakMap();
    this.nested = nested;
    const all = alternate(messages.map(message => this.turn(message)));
    const pieces = (nested ? signActiveLoop(all) : all).map(({ json }) => json);
    const [first] = pieces;
    // Nothing goes before the first, so no comma either.
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

/** Where a message had nothing to send (only thoughts, say), its adjacent messages of the same role are put together. */
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

/** The service checks signatures of everything after the last prompt. */
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
