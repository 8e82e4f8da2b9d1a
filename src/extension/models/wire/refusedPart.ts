/*
 * Finds the parts of a request that a service rejected. Services name a position in the body, for example
 * `messages.3.content.1.image.source.base64`, `input[3].content[1].image_url` or `contents[0].parts[2].inline_data`, or
 * only the kind of content. The position leads to a value in the body, and that value to the part that it was made
 * from.
 */

import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { keyOfBlob, keyOfPart, keyOfTool } from '../../core/history/refusedParts.ts';
import type { ModelErrorKind, RefusedPart } from '../../core/model.ts';

interface RefusedRequest {
  readonly messages: readonly Message[];
  /** JSON text. */
  readonly body: () => string;
}

interface RefusalWords {
  readonly message: string;
  /** The request member that the service named. Empty if none. */
  readonly place: string;
}

/** Error kinds that a part of the request may have caused. */
const causedByParts: ReadonlySet<ModelErrorKind> = new Set([
  'badRequest',
  'notFound',
  'overloaded',
  'tooLarge',
  'unknown',
]);

const aboutMedia =
  /\b(image|images|picture|vision|multi-?modal|mmproj|inline_?data|media|mime|base64|pdf|document|audio|image_url|file_data|input_audio)\b/i;
/** Messages of servers that fail to decode pictures. Model names may contain "vision", so that word is not matched. */
const aboutPictures = /\b(images?|mmproj)\b/i;
/** The model accepts no pictures at all. */
const takesNone =
  /not? support|does(n't| not) (accept|take|have)|unsupported content|no endpoints|unknown variant|text[- ]only|not a (multi-?modal|vision)|must be a string|expected (a )?string/i;
/** Gemini's whole message for some pictures. */
const saysNothing = /^request contains an invalid argument\.?$/i;

/** Returns `undefined` if no part caused the error. @param kind kind of the error before its parts were considered */
export function findRefusedPart(
  { message, place }: RefusalWords,
  kind: ModelErrorKind,
  status: number | undefined,
  { messages, body: readBody }: RefusedRequest,
): RefusedPart | undefined {
  if (!causedByParts.has(kind)) return undefined;
  const body = readBody();
  const blobs = messages.flatMap(blobsOf);
  const all = [...new Set(blobs.map(keyOfBlob))];
  const mayName = kind === 'badRequest' || kind === 'unknown';
  const named = mayName ? findNamed(`${place} ${message}`, messages, body) : [];
  const tools = named.length === 0 && kind === 'badRequest' ? findTools(`${place} ${message}`, body) : [];
  if (tools.length > 0) return { words: message, tries: [tools.map(keyOfTool)], isGuess: false };
  if (named.length > 0) {
    const isMedia = named.some(key => key.startsWith('blob:'));
    return { words: message, tries: isMedia ? [named, named, all] : [named], isGuess: false };
  }
  if (all.length === 0 || !isAboutMedia(message, kind, status, blobs, body)) return undefined;
  return { words: message, tries: [likeliest(message, kind, blobs), all], isGuess: true };
}

function isAboutMedia(
  message: string,
  kind: ModelErrorKind,
  status: number | undefined,
  blobs: readonly Blob[],
  body: string,
): boolean {
  if (kind === 'overloaded') return status === 500 && aboutPictures.test(message);
  if (kind !== 'tooLarge') return aboutMedia.test(message) || saysNothing.test(message.trim());
  const length = blobs.reduce((sum, { data }) => sum + data.length, 0);
  return status === 413 && length > body.length / 2;
}

/** Returns the blobs of the type that the service names, else the newest, or all if nothing else makes sense. */
function likeliest(message: string, kind: ModelErrorKind, blobs: readonly Blob[]): readonly string[] {
  const typed = blobs.filter(({ mimeType }) => message.includes(mimeType));
  const isAll = kind === 'tooLarge' || takesNone.test(message) || saysNothing.test(message.trim());
  const likely = isAll ? blobs : typed.length > 0 ? typed : blobs.slice(-1);
  return [...new Set(likely.map(keyOfBlob))];
}

export function blobsOf({ parts }: Message): readonly Blob[] {
  return parts.flatMap(part => {
    if (part.kind === 'blob') return [part.blob];
    return part.kind === 'result' ? (part.blobs ?? []) : [];
  });
}

function findNamed(words: string, messages: readonly Message[], body: string): readonly string[] {
  const places = [...words.matchAll(/\b(?:messages|input|contents)(?:\.\w+|\[\w+\])+/g)].map(
    ([place]) => place,
  );
  if (places.length === 0) return [];
  const whole: unknown = JSON.parse(body);
  const keys = places.flatMap(
    place =>
      valuesAt(whole, place)
        .map(value => keysAt(value, messages))
        .find(found => found.length > 0) ?? [],
  );
  return [...new Set(keys)];
}

/** Names of declared tools that the service rejected, by their position or by their quoted names. */
function findTools(words: string, body: string): readonly string[] {
  const { tools = [] } = JSON.parse(body) as { readonly tools?: readonly unknown[] };
  const places = [...words.matchAll(/\btools(?:\.\w+|\[\w+\])+/g)].flatMap(([place]) => {
    const [first, second] = place.match(/\d+/g) ?? [];
    const tool = tools[Number(first)];
    const list = memberOf(tool, 'function_declarations');
    return nameOfTool(Array.isArray(list) ? list[Number(second)] : tool);
  });
  const known = tools.flatMap(tool => {
    const list = memberOf(tool, 'function_declarations');
    return (Array.isArray(list) ? list : [tool]).flatMap(nameOfTool);
  });
  const isSchema = /\b(schema|function|tool|declaration)s?\b/i.test(words);
  const quoted = isSchema
    ? [...words.matchAll(/['"`]([\w.-]{1,128})['"`]/g)].map(([, name = '']) => name)
    : [];
  return [...new Set([...places, ...quoted.filter(name => known.includes(name))])];
}

function nameOfTool(tool: unknown): readonly string[] {
  const name = memberOf(tool, 'name') ?? memberOf(memberOf(tool, 'function'), 'name');
  return typeof name === 'string' ? [name] : [];
}

/** The values on the path to the position, innermost first: parts of messages, and their members. */
function valuesAt(whole: unknown, place: string): readonly unknown[] {
  const found: unknown[] = [];
  let value = whole;
  let indices = 0;
  for (const step of place.match(/\w+/g) ?? []) {
    const next = memberOf(value, step);
    if (next === undefined && /^\d+$/.test(step)) break;
    // A service may insert the kind of a block between the members.
    if (next === undefined) continue;
    if (/^\d+$/.test(step)) indices++;
    value = next;
    if (indices > 1 || typeof next === 'string' || isItem(value)) found.unshift(value);
    if (typeof next !== 'object') break;
  }
  return found;
}

/** The Responses API has calls and results next to messages. */
function isItem(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('call_id' in value || 'encrypted_content' in value);
}

function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  // Google names members as in its protocol buffers.
  return members[step] ?? members[step.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
}

function keysAt(value: unknown, messages: readonly Message[]): readonly string[] {
  const held = new Set<string>();
  addTexts(value, held);
  if (held.size === 0) return [];
  const media = messages.flatMap(blobsOf).filter(({ data }) => held.has(data));
  if (media.length > 0) return media.map(keyOfBlob);
  // A call and its result share an id.
  const other = isResult(value) ? 'call' : 'result';
  const isNamed = (part: Part) => part.kind !== other && isHeld(part, held);
  return messages.flatMap(({ parts }) => parts.filter(isNamed).map(keyOfPart));
}

function isResult(value: unknown): boolean {
  return ['tool_use_id', 'tool_call_id', 'functionResponse', 'output'].some(
    member => memberOf(value, member) !== undefined,
  );
}

/** Adds all texts of the value; of data URLs, only their data. */
function addTexts(value: unknown, held: Set<string>): void {
  if (typeof value === 'string') held.add(value.replace(/^data:[^,]{0,100};base64,/, ''));
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) addTexts(member, held);
}

function isHeld(part: Part, held: ReadonlySet<string>): boolean {
  switch (part.kind) {
    case 'call':
    case 'result':
      return held.has(part.id);
    case 'text':
      return part.text !== '' && held.has(part.text);
    case 'thought':
      return part.signature !== undefined && held.has(part.signature);
    case 'blob':
      return false;
  }
}
