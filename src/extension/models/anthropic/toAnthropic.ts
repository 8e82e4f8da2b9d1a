/*
 * Converts Folio's request to the body of Anthropic's Messages API. Stable content comes first, so that the service
 * can cache as much as possible: tools, then the system prompt, then the conversation. The API allows at most four
 * cache marks:
 *
 *   tools ▪  system ▪  user … model … user ▪  model  user ▪
 *                                     └ the newest message of the previous request
 */

import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  OutputConfig,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolResultBlockParam,
  WebSearchTool20250305,
} from '@anthropic-ai/sdk/resources/messages';
import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { maskPlaceholder } from '../../base/maskSecrets.ts';
import type { ModelRequest, ToolDeclaration } from '../../core/model.ts';
import type { CacheLifetime, Effort } from '../../platform/settings.ts';
import { nearestEffort } from '../wire/effort.ts';
import { validToolName } from '../wire/validToolName.ts';
import type { ModelAbilities } from './modelList.ts';

/** Always blocks, since the last one may carry a cache mark. */
interface BlockMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

/**
 * @param server host name of the request; only thoughts from the same host are sent back
 * @param lifetime how long the service caches marked content
 */
export function toAnthropic(
  request: ModelRequest,
  server: string,
  abilities: ModelAbilities,
  lifetime: CacheLifetime,
): MessageCreateParamsStreaming {
  const { maxOutput, thinking } = abilities;
  const messages = toMessages(request.messages, server);
  const thought = thinkingFor(request, abilities, messages);
  const { model, system, tools } = request;
  const mark = markOf(lifetime);
  const declared = tools.length > 0 ? tools.map(toAnthropicTool) : toolsOfHistory(messages);
  return {
    model,
    max_tokens: maxOutput,
    stream: true,
    thinking: thought,
    output_config: thought?.type === 'disabled' ? undefined : effortFor(request, abilities),
    tool_choice: choiceFor(request, declared, thinking),
    tools: toolsFor(request, declared, mark),
    system: system ? withMarkedLast([{ type: 'text', text: system }], mark) : undefined,
    messages: withMarks(messages, mark, request.footer, thought?.type === 'enabled'),
  };
}

/** Limits the searches of one answer. Without a limit it may take dozens, and each costs. */
const webSearch: WebSearchTool20250305 = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };

function toolsFor(
  { builtIn }: ModelRequest,
  declared: readonly Tool[],
  mark: CacheControlEphemeral,
): MessageCreateParamsStreaming['tools'] {
  if (builtIn === 'webSearch') return [webSearch];
  return declared.length > 0 ? withMarkedLast(declared, mark) : undefined;
}

/** Tokens. The default suffices for hard problems, and unused budget costs nothing. */
const budgets: Readonly<Record<Effort, number>> = { low: 2048, medium: 8000, high: 16_000, max: 16_000 };

function effortFor({ effort }: ModelRequest, { efforts }: ModelAbilities): OutputConfig | undefined {
  const step = nearestEffort(effort, efforts);
  return step && { effort: step };
}

function thinkingFor(
  { mustCall, effort = 'high' }: ModelRequest,
  { maxOutput, thinking: { adaptive, byBudget, canBeOff } }: ModelAbilities,
  messages: readonly BlockMessage[],
): ThinkingConfigParam | undefined {
  // Forcing a tool call and thinking exclude each other.
  if (mustCall && canBeOff) return { type: 'disabled' };
  if (adaptive) return { type: 'adaptive', display: 'summarized' };
  if (!byBudget || mustCall || isWithinForeignCalls(messages)) return undefined;
  return { type: 'enabled', budget_tokens: Math.min(budgets[effort], Math.floor(maxOutput / 2)) };
}

/** True if the answers since the newest prompt call tools without a preceding thought, so another model made them. */
function isWithinForeignCalls(messages: readonly BlockMessage[]): boolean {
  const prompt = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  return messages.slice(prompt + 1).some(({ role, content }) => {
    return role === 'assistant' && hasCalls(content) && !isThinking(content[0]);
  });
}

function choiceFor(
  { tools, mustCall }: ModelRequest,
  declared: readonly Tool[],
  { adaptive, canBeOff }: ModelAbilities['thinking'],
): MessageCreateParamsStreaming['tool_choice'] {
  if (tools.length === 0) return declared.length > 0 ? { type: 'none' } : undefined;
  // A model that always thinks rejects a forced tool call.
  return mustCall && (canBeOff || !adaptive) ? { type: 'any' } : undefined;
}

/** The API rejects a history with calls unless the request declares tools, even where calls are forbidden. */
function toolsOfHistory(messages: readonly BlockMessage[]): readonly Tool[] {
  const calls = messages.flatMap(({ content }) => content.filter(block => block.type === 'tool_use'));
  const names = [...new Set(calls.map(({ name }) => name))];
  return names.map(name => ({ name, input_schema: { type: 'object', properties: {} } }));
}

export function toAnthropicTool({ name, description, parameters }: ToolDeclaration): Tool {
  const { $schema: _dialect, ...schema } = parameters;
  return { name, description, input_schema: { properties: {}, ...schema, type: 'object' } };
}

function toMessages(messages: readonly Message[], server: string): readonly BlockMessage[] {
  const result: BlockMessage[] = [];
  for (const { role: speaker, parts } of messages) {
    const role = speaker === 'user' ? 'user' : 'assistant';
    const content = role === 'user' ? userBlocks(parts) : modelBlocks(parts, server);
    const last = result.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content: [...content] });
  }
  return result;
}

/** Results come first, because they must directly follow their calls. */
function userBlocks(parts: readonly Part[]): readonly ContentBlockParam[] {
  const results = parts.filter(part => part.kind === 'result');
  const others = parts.flatMap((part): readonly ContentBlockParam[] => {
    if (part.kind === 'text') return textBlocks(part.text);
    return part.kind === 'blob' ? [blobBlock(part.blob)] : [];
  });
  return [
    ...results.map(({ id, ok, text, blobs = [] }): ContentBlockParam => {
      const content = [...textBlocks(text), ...blobs.map(blobBlock)];
      return {
        type: 'tool_result',
        tool_use_id: callId(id),
        content: content.length > 0 ? content : undefined,
        is_error: ok ? undefined : true,
      };
    }),
    ...others,
  ];
}

/**
 * Thoughts must precede the content they led to; alone or at the end, they are refused. A signature covers exact words,
 * and an answer keeps all of its thoughts or none. If a secret was masked in one, all are left out.
 */
function modelBlocks(parts: readonly Part[], server: string): readonly ContentBlockParam[] {
  const isMasked = parts.some(part => part.kind === 'thought' && part.text.includes(maskPlaceholder));
  const blocks = parts.flatMap(part => (isMasked && part.kind === 'thought' ? [] : modelBlock(part, server)));
  return blocks.slice(0, blocks.findLastIndex(block => !isThinking(block)) + 1);
}

function modelBlock(part: Part, server: string): readonly ContentBlockParam[] {
  switch (part.kind) {
    case 'text':
      return textBlocks(part.text);
    case 'call':
      return [{ type: 'tool_use', id: callId(part.id), name: validToolName(part.name), input: part.args }];
    case 'thought':
      return thoughtBlocks(part, server);
    case 'result':
    case 'blob':
      return [];
  }
}

function thoughtBlocks(
  { text, signature, origin }: Extract<Part, { kind: 'thought' }>,
  server: string,
): readonly ContentBlockParam[] {
  if (signature === undefined || origin?.server !== server) return [];
  switch (origin.member) {
    case 'thinking':
      return [{ type: 'thinking', thinking: text, signature }];
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: signature }];
    default:
      return [];
  }
}

type LeafBlock = Extract<ContentBlockParam, { type: 'text' | 'image' | 'document' }>;

/** The API rejects blank texts. */
function textBlocks(text: string): readonly Extract<LeafBlock, { type: 'text' }>[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function blobBlock({ mimeType, data }: Blob): LeafBlock {
  switch (mimeType) {
    case 'image/png':
    case 'image/jpeg':
    case 'image/gif':
    case 'image/webp':
      return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
    case 'application/pdf':
      return { type: 'document', source: { type: 'base64', media_type: mimeType, data } };
    default:
      return { type: 'text', text: `(A file of the type ${mimeType}, which the model does not take.)` };
  }
}

/** Ids from other services may contain characters that this API rejects. */
function callId(id: string): string {
  return id.replace(/[^\w-]/g, character => `_${character.codePointAt(0)}_`) || '_';
}

/** Five minutes is the default lifetime of the service. */
function markOf(lifetime: CacheLifetime): CacheControlEphemeral {
  return lifetime === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}

/**
 * The footer comes after the marks: the next request does not begin with it, so caching it would be useless.
 *
 * @param isThinking the model thinks with a budget. Such models drop the thoughts of a turn once a user text follows
 * them.
 */
function withMarks(
  messages: readonly BlockMessage[],
  mark: CacheControlEphemeral,
  footer: string | undefined,
  isThinking: boolean,
): BlockMessage[] {
  const newest = messages.length - 1;
  const before = messages.findLastIndex(({ role }, at) => role === 'user' && at < newest);
  return messages.map((message, at) => {
    const { role, content } = message;
    const text: readonly TextBlockParam[] =
      at === newest && role === 'user' && footer !== undefined ? [{ type: 'text', text: footer }] : [];
    const last = content.at(-1);
    if (text.length > 0 && isThinking && last?.type === 'tool_result')
      return { role, content: content.with(-1, endResult(last, text)) };
    if (at !== newest && at !== before) return message;
    return { role, content: [...withMarkedLast(content, mark), ...text] };
  });
}

function endResult(result: ToolResultBlockParam, text: readonly TextBlockParam[]): ToolResultBlockParam {
  const content = Array.isArray(result.content) ? result.content : [];
  return { ...result, content: [...content, ...text] };
}

function withMarkedLast<T extends object>(list: readonly T[], mark: CacheControlEphemeral): T[] {
  const last = { ...list.at(-1)!, cache_control: mark };
  return [...list.slice(0, -1), last];
}

function hasCalls(blocks: readonly ContentBlockParam[]): boolean {
  return blocks.some(({ type }) => type === 'tool_use');
}

function isThinking(block: ContentBlockParam | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
