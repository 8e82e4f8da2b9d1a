/*
 * From Folio's request to messages for VS Code. There is no role for the system, so its text comes first in the first
 * message of the user: some servers behind other extensions take no two messages of one role in a row. Only results of
 * calls get a message of their own, as extensions expect them.
 */

import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { withFooter } from '../../core/history/footer.ts';
import type { ModelRequest } from '../../core/model.ts';
import type { ChatMessage, ChatPart, ChatRequest, ContentPart } from './languageModels.ts';

/** @param seesPictures unless it is known that the model does not */
export function toLanguageModel(request: ModelRequest, seesPictures: boolean): ChatRequest {
  const { system, tools, mustCall = false, temperature } = request;
  const conversation = withFooter(request).flatMap(message => toMessages(message, seesPictures));
  const first: readonly ChatMessage[] = system ? [{ role: 'user', parts: [textPart(`${system}\n\n`)] }] : [];
  return { messages: joined([...first, ...conversation]), tools, mustCall, temperature };
}

function toMessages({ role, parts }: Message, seesPictures: boolean): readonly ChatMessage[] {
  if (role === 'model') return [{ role: 'assistant', parts: parts.flatMap(toAssistantPart) }];
  const results = parts.flatMap(part => (part.kind === 'result' ? [toResult(part, seesPictures)] : []));
  const others = parts.flatMap(part => toUserPart(part, seesPictures));
  return [
    { role: 'user', parts: results },
    { role: 'user', parts: others },
  ];
}

/** Thoughts are not sent back: a message of nothing else is left out, and its adjacent messages become one. */
function joined(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.parts.length === 0) continue;
    if (last?.role === message.role && !last.parts.some(part => part.kind === 'result')) {
      result[result.length - 1] = { role: last.role, parts: [...last.parts, ...message.parts] };
    } else result.push(message);
  }
  return result;
}

function toAssistantPart(part: Part): ChatPart[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [textPart(part.text)];
    case 'call':
      return [{ kind: 'call', id: part.id, name: part.name, input: part.args }];
    case 'blob':
      return [textPart(withheld(part.blob))];
    case 'thought':
    case 'result':
      return [];
  }
}

function toResult(part: Extract<Part, { kind: 'result' }>, seesPictures: boolean): ChatPart {
  const { id, ok, text, blobs = [] } = part;
  const content = [textPart(ok ? text : `Error: ${text}`), ...blobs.map(blob => toData(blob, seesPictures))];
  return { kind: 'result', id, content };
}

function toUserPart(part: Part, seesPictures: boolean): ChatPart[] {
  if (part.kind === 'text') return part.text === '' ? [] : [textPart(part.text)];
  return part.kind === 'blob' ? [toData(part.blob, seesPictures)] : [];
}

/** VS Code knows of pictures only. */
function toData(blob: Blob, seesPictures: boolean): ContentPart {
  const { mimeType, data } = blob;
  if (!seesPictures || !mimeType.startsWith('image/')) return textPart(withheld(blob));
  return { kind: 'data', mimeType, data: Buffer.from(data, 'base64') };
}

function withheld({ mimeType }: Blob): string {
  return `(A file of the type ${mimeType}, which this model does not take.)`;
}

function textPart(text: string): ContentPart {
  return { kind: 'text', text };
}
