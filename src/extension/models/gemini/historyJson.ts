/*
 * Every step sends the whole history again, so turning it into JSON would cost more from step to step. Here each
 * message is turned once, and the finished text takes the place of a placeholder in the body that the client made:
 *
 *   client:  {"contents":[placeholder],"tools":…}
 *   sent:    {"contents":[kept JSON of message 1, of message 2, …],"tools":…}
 */

import type { Content } from '@google/genai/web';
import type { Message } from '../../../protocol/events.ts';
import { isThirdGeneration } from './models.ts';
import { toContent, withSignature } from './toContent.ts';

const marker = 'folio:history';

/** What the client gets for a history; it insists on some. */
export const contentsPlaceholder: Content[] = [{ role: 'user', parts: [{ text: marker }] }];

/** Inside of a JSON string the quotes would be escaped, so only the real key can match. */
const placeholderJson = new RegExp(`"contents":\\[\\{[^\\]]*"${marker}"[^\\]]*\\][^\\]]*\\}\\]`);

/** The body with the history in the placeholder's place. Throws when there is no placeholder: a fault of ours. */
export function withHistory(body: string, history: string): string {
  const place = placeholderJson.exec(body);
  if (!place) throw new Error('The request of the client has no place for the history.');
  return `${body.slice(0, place.index)}"contents":${history}${body.slice(place.index + place[0].length)}`;
}

interface Turned {
  readonly content: Content;
  readonly json: string;
}

/** Keeps what it made as long as the message lives. */
export class HistoryJson {
  private turned = new WeakMap<Message, Turned>();
  private nested = false;

  /** A JSON array of contents, in which roles alternate. */
  encode(messages: readonly Message[], model: string): string {
    const nested = isThirdGeneration(model);
    if (nested !== this.nested) this.turned = new WeakMap();
    this.nested = nested;
    const all = alternate(
      messages.map(message => this.turn(message)).filter(({ content }) => content.parts?.length),
    );
    return `[${(nested ? signActiveLoop(all) : all).map(({ json }) => json).join(',')}]`;
  }

  private turn(message: Message): Turned {
    const known = this.turned.get(message);
    if (known) return known;
    const made = turnedOf(toContent(message, this.nested));
    this.turned.set(message, made);
    return made;
  }
}

/** Where a message had nothing to send (only thoughts, say), its neighbours of the same role are put together. */
function alternate(all: readonly Turned[]): readonly Turned[] {
  const result: Turned[] = [];
  for (const next of all) {
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
  return { content, json: JSON.stringify(content) };
}
