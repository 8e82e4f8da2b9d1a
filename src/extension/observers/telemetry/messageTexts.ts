/* Formats messages as in the conventions: roles with parts, as JSON. */

import type { Message, Part } from '../../../protocol/events.ts';
import { cutMiddle } from '../../base/text.ts';

/** Maximum characters of one text; collectors reject much larger spans. */
const maxText = 16_384;

export function inputText(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(messageOf));
}

export function outputText(message: Message): string {
  return JSON.stringify([messageOf(message)]);
}

function messageOf({ role, parts }: Message) {
  const isResult = role === 'user' && parts.some(({ kind }) => kind === 'result');
  return { role: role === 'model' ? 'assistant' : isResult ? 'tool' : 'user', parts: parts.map(partOf) };
}

function partOf(part: Part) {
  switch (part.kind) {
    case 'text':
      return { type: 'text', content: cut(part.text) };
    case 'thought':
      return { type: 'reasoning', content: cut(part.text) };
    case 'call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: cut(JSON.stringify(part.args)) };
    case 'result':
      return { type: 'tool_call_response', id: part.id, response: cut(part.text) };
    case 'blob':
      // Omits the media data.
      return { type: 'blob', mime_type: part.blob.mimeType };
  }
}

function cut(text: string): string {
  return cutMiddle(text, maxText);
}
