/* Converts Folio's request to the body of a chat completion. */

import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { withFooter } from '../../core/history/footer.ts';
import type { ModelRequest } from '../../core/model.ts';
import { nearestEffort } from '../wire/effort.ts';
import { validToolName } from '../wire/validToolName.ts';
import { chatEffortValue, findChatEfforts, needsAnswerAfterResults, thinksByDefault } from './models.ts';
import {
  extraCallMembers,
  type ThoughtMembers,
  type ThoughtReplay,
  thinkingContent,
  thoughtMembers,
} from './returnedThoughts.ts';
import { toChatTool } from './toolSchema.ts';

export function toChat(request: ModelRequest, returning: ThoughtReplay): ChatCompletionCreateParamsStreaming {
  const { model, system, tools, mustCall, temperature, effort } = request;
  const said = toMessages(withFooter(request), returning);
  const first: ChatCompletionMessageParam[] = system ? [{ role: 'system', content: system }] : [];
  return {
    model,
    messages: [...first, ...(needsAnswerAfterResults(model) ? withAnswers(said) : said)],
    tools: tools.length > 0 ? tools.map(toChatTool) : undefined,
    // More servers know this value than the name of one function.
    tool_choice: mustCall ? ('required' as const) : undefined,
    // Thinking models reject any temperature but their own.
    temperature: temperature === undefined || thinksByDefault(model) ? undefined : temperature,
    reasoning_effort: chatEffortValue(model, nearestEffort(effort, findChatEfforts(model))),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function withAnswers(messages: readonly ChatCompletionMessageParam[]): readonly ChatCompletionMessageParam[] {
  return messages.flatMap((message, at) =>
    message.role === 'user' && messages[at - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: 'I have read the results.' }, message]
      : [message],
  );
}

export function toMessages(
  messages: readonly Message[],
  returning: ThoughtReplay,
): readonly ChatCompletionMessageParam[] {
  const result: ChatCompletionMessageParam[] = [];
  for (const message of withoutEmpty(messages)) {
    if (message.role === 'user') result.push(...toUserMessages(message.parts));
    else result.push(toAssistantMessage(message.parts, returning));
  }
  return result;
}

/** Drops messages that hold only thoughts, and merges the adjacent ones. */
function withoutEmpty(messages: readonly Message[]): readonly Message[] {
  const result: Message[] = [];
  for (const { role, parts } of messages) {
    const kept = parts.filter(part => part.kind !== 'text' || part.text !== '');
    const last = result.at(-1);
    if (kept.every(({ kind }) => kind === 'thought')) continue;
    if (last?.role === role) result[result.length - 1] = { role, parts: [...last.parts, ...kept] };
    else result.push({ role, parts: kept });
  }
  return result;
}

function toAssistantMessage(
  parts: readonly Part[],
  returning: ThoughtReplay,
): ChatCompletionAssistantMessageParam & ThoughtMembers {
  const thoughts = thoughtMembers(parts, returning);
  const text = parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  const content = thinkingContent(parts, returning) ?? text;
  const calls = parts.filter(part => part.kind === 'call');
  if (calls.length === 0)
    return { role: 'assistant', ...thoughts, content: content || '(Content that is not text.)' };
  return {
    role: 'assistant',
    ...thoughts,
    content: content || null,
    tool_calls: calls.map(call => ({
      id: call.id,
      type: 'function',
      function: { name: validToolName(call.name), arguments: JSON.stringify(call.args) },
      ...extraCallMembers(call, returning),
    })),
  };
}

/**
 * Results come first, because they must follow their calls. Their non-text content is allowed only in a user message.
 */
function toUserMessages(parts: readonly Part[]): readonly ChatCompletionMessageParam[] {
  const results = parts.filter(part => part.kind === 'result');
  const content = [
    ...results.flatMap(({ name, blobs = [] }) =>
      blobs.length > 0 ? [textPart(`Content of the result of ${name}:`), ...blobs.map(toContentPart)] : [],
    ),
    ...parts.flatMap(part => {
      if (part.kind === 'text') return [textPart(part.text)];
      return part.kind === 'blob' ? [toContentPart(part.blob)] : [];
    }),
  ];
  return [
    ...results.map(({ id, ok, text }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: ok ? text : `Error: ${text}`,
    })),
    ...(content.length > 0 ? [{ role: 'user' as const, content: plainWherePossible(content) }] : []),
  ];
}

/** Servers of text-only models do not accept lists of parts. */
function plainWherePossible(
  content: readonly ChatCompletionContentPart[],
): string | ChatCompletionContentPart[] {
  const texts = content.flatMap(part => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n\n') : [...content];
}

function toContentPart({ mimeType, data }: Blob): ChatCompletionContentPart {
  const url = `data:${mimeType};base64,${data}`;
  if (mimeType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  if (/^audio\/(x-)?(wav|mp3|mpeg)$/.test(mimeType)) {
    const format = mimeType.endsWith('wav') ? 'wav' : 'mp3';
    return { type: 'input_audio', input_audio: { data, format } };
  }
  if (mimeType === 'application/pdf') {
    return { type: 'file', file: { filename: 'document.pdf', file_data: url } };
  }
  return textPart(`(A file of the type ${mimeType}, which the model server does not take.)`);
}

function textPart(text: string): ChatCompletionContentPart {
  return { type: 'text', text };
}
