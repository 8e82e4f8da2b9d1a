/*
 * Requests and answers in the form that hooks see and change. It is the same for all providers: messages contain only
 * text. Calls, results and signatures are hidden and preserved if the order allows it.
 */

import type { Message, Part } from '../../../protocol/events.ts';
import { isRecord } from '../../base/record.ts';
import { textOf } from '../history/history.ts';
import type { ModelRequest } from '../model.ts';
import type { HookFields } from './hookRuns.ts';
import type { ToolConfig } from './parseAnswer.ts';

interface ShapedMessage {
  readonly role: 'user' | 'model';
  readonly content: string;
}

export function toHookRequest({ model, messages, temperature, tools, mustCall }: ModelRequest): HookFields {
  return {
    model,
    messages: shapeMessages(messages),
    config: temperature === undefined ? {} : { temperature },
    toolConfig: { mode: mustCall ? 'ANY' : 'AUTO', allowedFunctionNames: tools.map(({ name }) => name) },
  };
}

/** Applies a hook's changes to the request. Invalid values are ignored. */
export function applyRequestChanges(request: ModelRequest, changes: HookFields): ModelRequest {
  const { model, messages, config, toolConfig } = changes;
  const temperature = isRecord(config) ? config.temperature : undefined;
  const given = Array.isArray(messages) ? messages.flatMap(parseMessage) : undefined;
  const changed: ModelRequest = {
    ...request,
    model: (typeof model === 'string' && model.trim()) || request.model,
    temperature: typeof temperature === 'number' ? temperature : request.temperature,
    messages: given && given.length > 0 ? changeMessages(request.messages, given) : request.messages,
  };
  return isRecord(toolConfig) ? restrictTools(changed, toolConfigOf(toolConfig)) : changed;
}

/** Declares only tools that a hook allows; with `ANY` the model must call one of them. */
export function restrictTools(
  request: ModelRequest,
  { mode, allowedFunctionNames }: ToolConfig,
): ModelRequest {
  if (mode === 'NONE') return { ...request, tools: [], mustCall: false };
  const tools = allowedFunctionNames
    ? request.tools.filter(({ name }) => allowedFunctionNames.includes(name))
    : request.tools;
  const mustCall = mode === undefined ? request.mustCall : mode === 'ANY';
  // A call cannot be required without tools.
  return { ...request, tools, mustCall: mustCall === true && tools.length > 0 };
}

export function toHookResponse(message: Message, finish: string): HookFields {
  const content = textOf(message);
  return {
    text: content,
    candidates: [
      { content: { role: 'model', parts: content === '' ? [] : [content] }, finishReason: finish },
    ],
  };
}

/** Returns the text of an answer given by a hook; `undefined` if there is none. */
export function findResponseText(response: HookFields): string | undefined {
  const { candidates, text } = response;
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const content = isRecord(first) ? first.content : undefined;
  const parts: unknown = isRecord(content) ? content.parts : undefined;
  const said = Array.isArray(parts) ? parts.map(partText).join('') : '';
  if (said !== '') return said;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function shapeMessages(messages: readonly Message[]): readonly ShapedMessage[] {
  return messages.filter(hasText).map(message => ({ role: message.role, content: textOf(message) }));
}

/**
 * With equal counts, each text replaces the original one. Additional texts at the end join the last user message.
 * Anything else replaces the whole conversation.
 */
function changeMessages(messages: readonly Message[], given: readonly ShapedMessage[]): readonly Message[] {
  const shown = messages.filter(hasText);
  const head = given.slice(0, shown.length);
  const added = given.slice(shown.length);
  const fits = head.length === shown.length && head.every(({ role }, index) => role === shown[index]!.role);
  const last = messages.at(-1);
  if (!fits || (added.length > 0 && (last?.role !== 'user' || added.some(({ role }) => role !== 'user'))))
    return ownConversation(given, messages);
  const texts = new Map(shown.map((message, index) => [message, head[index]!.content]));
  const changed = messages.map(message => withText(message, texts.get(message)));
  if (added.length === 0) return changed;
  const more: readonly Part[] = added.map(({ content }) => ({ kind: 'text', text: content }));
  return changed.with(-1, { role: 'user', parts: [...changed.at(-1)!.parts, ...more] });
}

function withText(message: Message, text: string | undefined): Message {
  if (text === undefined || text === textOf(message)) return message;
  const first = message.parts.findIndex(part => part.kind === 'text' && part.text !== '');
  const parts = message.parts.flatMap((part, index): readonly Part[] => {
    if (part.kind !== 'text') return [part];
    return index === first ? [{ kind: 'text', text }] : [];
  });
  return { ...message, parts };
}

/** Providers require user messages at the start and the end, and alternating roles. */
function ownConversation(given: readonly ShapedMessage[], before: readonly Message[]): readonly Message[] {
  const result: Message[] = [];
  for (const { role, content } of given) {
    const part: Part = { kind: 'text', text: content };
    const last = result.at(-1);
    if (last?.role === role) result[result.length - 1] = { role, parts: [...last.parts, part] };
    else if (last || role === 'user') result.push({ role, parts: [part] });
  }
  return result.at(-1)?.role === 'user' ? result : before;
}

function parseMessage(value: unknown): readonly ShapedMessage[] {
  if (!isRecord(value) || typeof value.content !== 'string') return [];
  const { role, content } = value;
  return role === 'user' || role === 'model' ? [{ role, content }] : [];
}

function toolConfigOf({ mode, allowedFunctionNames: names }: HookFields): ToolConfig {
  return {
    mode: mode === 'AUTO' || mode === 'ANY' || mode === 'NONE' ? mode : undefined,
    allowedFunctionNames: Array.isArray(names) ? names.filter(name => typeof name === 'string') : undefined,
  };
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  return isRecord(part) && typeof part.text === 'string' ? part.text : '';
}

function hasText(message: Message): boolean {
  return message.parts.some(part => part.kind === 'text' && part.text !== '');
}
