/*
 * Converts Folio's request to messages for VS Code. There is no system role, so the system prompt precedes the first
 * user message: some servers behind other extensions reject two consecutive messages of one role. Only call results get
 * their own message, as extensions expect.
 */

import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { withFooter } from '../../core/history/footer.ts';
import type { ModelRequest } from '../../core/model.ts';
import type { ChatMessage, ChatPart, ContentPart, LanguageModelRequest } from './languageModels.ts';

/** @param seesPictures false only if the model is known not to */
export function toLanguageModelRequest(request: ModelRequest, seesPictures: boolean): LanguageModelRequest {
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

/** Drops empty messages, such as those of only thoughts, and joins adjacent ones of one role. Results stay apart. */
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

/** VS Code supports only pictures. */
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
