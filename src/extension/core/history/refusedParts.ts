/*
 * Omits parts that a service refused from later requests: a single picture above a limit would fail every request of
 * the session, even after a resume. Parts are identified by content, since compressions move them. The history keeps
 * them, and other models still get them.
 */

import { createHash } from 'node:crypto';
import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { formatBytes, oneLine } from '../../base/text.ts';

/** Keys of omitted parts, with the service's error message for each. */
type Reasons = ReadonlyMap<string, string>;

interface Refused {
  readonly model: string;
  readonly refusedKeys: readonly string[];
  readonly reason: string;
}

export class RefusedContent {
  private readonly byModel = new Map<string, Map<string, string>>();
  /** Caches copies, since providers cache their conversions by message. */
  private readonly made = new Map<string, WeakMap<Message, Message>>();

  add({ model, refusedKeys, reason }: Refused): void {
    const reasons = this.byModel.get(model) ?? new Map<string, string>();
    for (const key of refusedKeys) reasons.set(key, reason);
    this.byModel.set(model, reasons);
    this.made.delete(model);
  }

  /** Returns the error message if the service refused the tool's declaration. */
  reasonOfTool(model: string, name: string): string | undefined {
    return this.byModel.get(model)?.get(keyOfTool(name));
  }

  readableBy(model: string, messages: readonly Message[]): readonly Message[] {
    const reasons = this.byModel.get(model);
    if (!reasons) return messages;
    const made = this.made.get(model) ?? new WeakMap<Message, Message>();
    this.made.set(model, made);
    return messages.map(message => {
      const known = made.get(message) ?? without(message, reasons);
      made.set(message, known);
      return known;
    });
  }
}

/** Replaces each of these parts by a sentence. */
export function withoutParts(
  messages: readonly Message[],
  parts: readonly string[],
  reason: string,
): readonly Message[] {
  const reasons = new Map(parts.map(part => [part, reason]));
  return messages.map(message => without(message, reasons));
}

export function keyOfTool(name: string): string {
  return toolPrefix + name;
}

export function toolOfKey(key: string): string | undefined {
  return key.startsWith(toolPrefix) ? key.slice(toolPrefix.length) : undefined;
}

const toolPrefix = 'tool:';

/** Identifies a part by its content. */
export function keyOfPart(part: Part): string {
  switch (part.kind) {
    case 'blob':
      return keyOfBlob(part.blob);
    case 'call':
    case 'result':
      return `${part.kind}:${part.id}`;
    case 'text':
    case 'thought':
      return `${part.kind}:${hash(part.text)}`;
  }
}

const blobKeys = new WeakMap<Blob, string>();

export function keyOfBlob(blob: Blob): string {
  const key = blobKeys.get(blob) ?? `blob:${hash(blob.data)}`;
  blobKeys.set(blob, key);
  return key;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function without(message: Message, reasons: Reasons): Message {
  const hasLeft = message.parts.some(part => part.kind === 'thought' && reasons.has(keyOfPart(part)));
  // An answer must keep all of its thoughts or none.
  const parts = hasLeft ? message.parts.filter(({ kind }) => kind !== 'thought') : message.parts;
  const kept = parts.map(part => withSentence(part, reasons));
  const isSame = !hasLeft && kept.every((part, at) => part === parts[at]);
  return isSame ? message : { ...message, parts: kept };
}

function withSentence(part: Part, reasons: Reasons): Part {
  const reason = reasons.get(keyOfPart(part));
  switch (part.kind) {
    case 'result':
      return reason === undefined ? withoutBlobs(part, reasons) : bareResult(part, reason);
    case 'blob':
      return reason === undefined ? part : { kind: 'text', text: sentenceOf(part.blob, reason) };
    case 'text':
      return reason === undefined ? part : { kind: 'text', text: leftOut('A text', reason) };
    case 'call':
      return reason === undefined ? part : { ...part, args: {} };
    case 'thought':
      return part;
  }
}

type ResultPart = Extract<Part, { kind: 'result' }>;

function bareResult({ blobs: _refused, ...part }: ResultPart, reason: string): Part {
  return { ...part, text: leftOut('The result', reason) };
}

function withoutBlobs(part: ResultPart, reasons: Reasons): Part {
  const refused = part.blobs?.filter(blob => reasons.has(keyOfBlob(blob))) ?? [];
  if (refused.length === 0) return part;
  const { blobs = [], ...rest } = part;
  const kept = blobs.filter(blob => !refused.includes(blob));
  const sentences = refused.map(blob => sentenceOf(blob, reasons.get(keyOfBlob(blob))!));
  const text = [part.text, ...sentences].filter(Boolean).join('\n');
  return kept.length > 0 ? { ...rest, text, blobs: kept } : { ...rest, text };
}

function sentenceOf({ mimeType, data }: Blob, reason: string): string {
  return leftOut(`A file (${mimeType}, ${formatBytes(Math.floor(data.length * 0.75))})`, reason);
}

function leftOut(what: string, reason: string): string {
  return `[${what} is left out here, because the model service refused it: ${oneLine(reason, 200)}]`;
}
