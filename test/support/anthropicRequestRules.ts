/*
 * Rules of Anthropic's Messages. Refused are: results that do not directly follow their calls; thoughts that are
 * changed, incomplete or misplaced; more than four cache breakpoints, or a longer-lived one after a shorter; calls in
 * the history without tools; and parameters that a model or version does not support.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { signatureOf } from './anthropicAnswers.ts';
import { firstFault, isObject } from './geminiToolRules.ts';
import { findDeclaredSchemaFault } from './jsonSchemaRules.ts';
import { findClaudePictureFault, type SentPicture } from './pictureRules.ts';

export interface ModelRules {
  readonly adaptive: boolean;
  readonly enabled: boolean;
  readonly disabled: boolean;
  readonly effort?: true;
  readonly maxTokens: number;
}

export interface MessagesBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: readonly MessagesBlock[];
  readonly is_error?: boolean;
  readonly source?: { readonly type?: string; readonly media_type?: string; readonly data?: string };
  readonly cache_control?: unknown;
}

/** Unchecked body of a request. */
export interface MessagesBody {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly messages?: readonly { readonly role: string; readonly content: readonly MessagesBlock[] }[];
  readonly system?: readonly MessagesBlock[];
  readonly tools?: readonly {
    readonly type?: string;
    readonly name?: string;
    readonly max_uses?: number;
    readonly input_schema?: unknown;
    readonly cache_control?: unknown;
  }[];
  readonly tool_choice?: { readonly type?: string };
  readonly thinking?: { readonly type?: string; readonly budget_tokens?: number };
  readonly stream?: boolean;
  readonly output_config?: { readonly effort?: string };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
}

const sampling = ['temperature', 'top_p', 'top_k'];
const known = [
  ...'model max_tokens messages system tools tool_choice thinking stream output_config'.split(' '),
  ...sampling,
];

/**
 * Returns the fault of a request; `undefined` if valid.
 * @param isPaused true if the service ended this answer with `pause_turn`, and continues it when returned unchanged
 */
export function findMessagesFault(
  body: MessagesBody,
  headers: IncomingHttpHeaders,
  models: Readonly<Record<string, ModelRules>>,
  isPaused: (answer: readonly MessagesBlock[]) => boolean = () => false,
): string | undefined {
  const version = String(headers['anthropic-version']);
  if (!/^(2023-06-01|2026-10-21)$/.test(version)) return 'anthropic-version: header is required';
  const unknown = Object.keys(body).find(
    key => !known.includes(key) || (version !== '2023-06-01' && sampling.includes(key)),
  );
  if (unknown) return `${unknown}: Extra inputs are not permitted`;
  const { model = '', max_tokens: limit, messages = [], tools = [] } = body;
  const rules = models[model];
  if (!Number.isInteger(limit) || limit! < 1) return 'max_tokens: Field required';
  if (rules && limit! > rules.maxTokens) return `max_tokens: ${limit} > ${rules.maxTokens}`;
  if (messages.length === 0) return 'messages: at least one message is required';
  return (
    findMarkFault(body) ??
    firstFault(messages, (message, at) => findMessageFault(message, messages[at - 1], `messages.${at}`)) ??
    findPairFault(messages) ??
    findClaudePictureFault(picturesOf(messages), 100) ??
    (messages.at(-1)!.role === 'user' || isPaused(messages.at(-1)!.content)
      ? undefined
      : 'This model does not support assistant message prefill.') ??
    firstFault(tools, findToolFault) ??
    (tools.length === 0 && blocksOf(body).some(({ type }) => type === 'tool_use')
      ? 'Requests which include `tool_use` or `tool_result` blocks must define tools'
      : undefined) ??
    (rules && findThinkingFault(body, rules))
  );
}

function blocksOf({ messages = [] }: MessagesBody): readonly MessagesBlock[] {
  return messages.flatMap(({ content }) => content);
}

function findMarkFault(body: MessagesBody): string | undefined {
  const places = [...(body.tools ?? []), ...(body.system ?? []), ...blocksOf(body)];
  const marked = places.filter(({ cache_control: mark }) => mark !== undefined);
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  const lifetimes = marked.map(({ cache_control: mark }) =>
    isObject(mark) ? (mark.ttl ?? '5m') : undefined,
  );
  if (lifetimes.some(lifetime => lifetime !== '5m' && lifetime !== '1h'))
    return "cache_control.ttl: Input should be '5m' or '1h'";
  if (lifetimes.includes('5m') && lifetimes.lastIndexOf('1h') > lifetimes.indexOf('5m'))
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
  return blocksOf(body).some(block => isObject(block.cache_control) && isThinking(block))
    ? 'cache_control: thinking blocks cannot be marked'
    : undefined;
}

function findMessageFault(
  { role, content }: NonNullable<MessagesBody['messages']>[number],
  before: { readonly role: string } | undefined,
  place: string,
): string | undefined {
  if (role !== 'user' && role !== 'assistant') return `${place}: unknown role ${role}`;
  if (role === before?.role) return `${place}: roles must alternate`;
  if (!before && role !== 'user') return 'messages: first message must use the "user" role';
  if (!Array.isArray(content) || content.length === 0) return `${place}: content must not be empty`;
  if (role === 'assistant' && isThinking(content.at(-1)))
    return `${place}: The final block in an assistant message cannot be \`thinking\`.`;
  const allowed = role === 'user' ? userTypes : modelTypes;
  return firstFault(content, (block, at) => findBlockFault(block, allowed, `${place}.content.${at}`));
}

const leafTypes = ['text', 'image', 'document'];
const userTypes = [...leafTypes, 'tool_result'];
const modelTypes = ['text', 'thinking', 'redacted_thinking', 'tool_use'];

function findBlockFault(block: MessagesBlock, allowed: readonly string[], place: string): string | undefined {
  const { type, text, source, id = '', name = '' } = block;
  if (!allowed.includes(type)) return `${place}: unexpected type ${type}`;
  switch (type) {
    case 'text':
      return text?.trim() ? undefined : `${place}: text content blocks must contain non-whitespace text`;
    case 'image':
      return /^image\/(png|jpeg|gif|webp)$/.test(source?.media_type ?? '') && source?.data
        ? undefined
        : `${place}: no image`;
    case 'document':
      return source?.media_type === 'application/pdf' && source.data ? undefined : `${place}: no document`;
    case 'thinking':
      return block.signature === signatureOf(block.thinking ?? '')
        ? undefined
        : `${place}: Invalid \`signature\` in \`thinking\` block`;
    case 'redacted_thinking':
      return block.data ? undefined : `${place}: Invalid \`data\``;
    case 'tool_use':
      if (!/^[\w-]+$/.test(id)) return `${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      return /^[\w-]{1,128}$/.test(name) && isObject(block.input) ? undefined : `${place}: no call`;
    default:
      return firstFault(block.content ?? [], (each, at) => findBlockFault(each, leafTypes, `${place}.${at}`));
  }
}

function picturesOf(messages: NonNullable<MessagesBody['messages']>): readonly SentPicture[] {
  return messages.flatMap(({ content }, at) => picturesIn(content, `messages.${at}.content`));
}

function picturesIn(blocks: readonly MessagesBlock[], place: string): readonly SentPicture[] {
  return blocks.flatMap(({ type, source, content = [] }, at): readonly SentPicture[] => {
    if (type === 'tool_result') return picturesIn(content, `${place}.${at}.tool_result.content`);
    if (type !== 'image') return [];
    const { media_type: mimeType = '', data = '' } = source ?? {};
    return [{ place: `${place}.${at}`, mimeType, data }];
  });
}

/** Checks that the message after calls begins with one result for each, and has no other results. */
function findPairFault(messages: NonNullable<MessagesBody['messages']>): string | undefined {
  let open: readonly string[] = [];
  for (const [at, { content }] of messages.entries()) {
    const results = content.filter(({ type }) => type === 'tool_result').map(each => each.tool_use_id ?? '');
    const leading = content.slice(0, results.length).every(({ type }) => type === 'tool_result');
    if (open.some(id => !results.includes(id)))
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
    if (results.some(id => !open.includes(id)) || new Set(results).size < results.length)
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
    if (!leading) return `messages.${at}: \`tool_result\` blocks must come first`;
    open = content.filter(({ type }) => type === 'tool_use').map(({ id = '' }) => id);
    if (new Set(open).size < open.length) return `messages.${at}: \`tool_use\` ids must be unique`;
  }
  return open.length > 0 ? 'The last `tool_use` has no answer.' : undefined;
}

function findToolFault(tool: NonNullable<MessagesBody['tools']>[number], at: number): string | undefined {
  const { type = 'custom', name = '', input_schema: schema, max_uses: uses } = tool;
  // "Web search tool" of the service's documentation: a fixed name for the type, and no schema.
  if (type === 'web_search_20250305') {
    if (name !== 'web_search') return `tools.${at}.web_search_20250305.name: Input should be 'web_search'`;
    if (schema !== undefined)
      return `tools.${at}.web_search_20250305.input_schema: Extra inputs are not permitted`;
    return uses === undefined || uses > 0
      ? undefined
      : `tools.${at}.web_search_20250305.max_uses: must be positive`;
  }
  if (type !== 'custom')
    return `tools.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
  if (!/^[\w-]{1,128}$/.test(name)) return `tools.${at}.name: String should match pattern`;
  if (!isObject(schema) || schema.type !== 'object') return `tools.${at}.input_schema.type: Field required`;
  const fault = findDeclaredSchemaFault(schema);
  return fault && `tools.${at}.custom.input_schema: JSON schema is invalid (${fault})`;
}

function findThinkingFault(body: MessagesBody, rules: ModelRules): string | undefined {
  const { thinking, tool_choice: choice, max_tokens: limit = 0, messages = [] } = body;
  const type = thinking?.type;
  const { effort } = body.output_config ?? {};
  if (effort !== undefined && !(rules.effort && /^(low|medium|high|max)$/.test(effort)))
    return 'output_config.effort: this model does not support the effort parameter.';
  if (type !== undefined && !rules[type as keyof ModelRules])
    return `thinking.type: ${type} is not supported`;
  const isOn = type === 'adaptive' || type === 'enabled' || !rules.disabled;
  if (isOn && (choice?.type === 'any' || choice?.type === 'tool'))
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  if (type !== 'enabled') return undefined;
  const budget = thinking?.budget_tokens ?? 0;
  if (budget < 1024 || budget >= limit) return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  const prompt = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(block => block.type === 'tool_result'),
  );
  const bare = messages
    .slice(prompt + 1)
    .find(({ role, content }) => role === 'assistant' && !isThinking(content[0]));
  return bare && 'Expected `thinking` or `redacted_thinking`, but found `tool_use`.';
}

function isThinking(block: { readonly type: string } | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

/** Answers that ended with `pause_turn`. */
export class PausedAnswers {
  private readonly answers: string[] = [];

  remember(blocks: readonly MessagesBlock[]): void {
    this.answers.push(JSON.stringify(blocks));
  }

  /** Returns true if the blocks end with a paused answer, ignoring cache breakpoints. */
  endIn(blocks: readonly MessagesBlock[]): boolean {
    const plain = blocks.map(({ cache_control: _mark, ...block }) => block);
    return plain.some((_block, at) => this.answers.includes(JSON.stringify(plain.slice(at))));
  }
}

/** Answered thoughts. Those before a call must be returned completely and in order, or not at all. */
export class GivenThoughts {
  private readonly byCall = new Map<string, string[]>();

  remember(blocks: readonly MessagesBlock[]): void {
    for (const { type, id = '' } of blocks) {
      if (type === 'tool_use') this.byCall.set(id, [...(this.byCall.get(id) ?? []), orderOf(blocks)]);
    }
  }

  findFault({ messages = [] }: MessagesBody): string | undefined {
    return firstFault(messages, ({ content }, at) => {
      const given = content.flatMap(({ type, id = '' }) =>
        type === 'tool_use' ? (this.byCall.get(id) ?? []) : [],
      );
      if (given.length === 0 || !content.some(isThinking) || given.includes(orderOf(content)))
        return undefined;
      return `messages.${at}: \`thinking\` or \`redacted_thinking\` blocks cannot be modified. They must remain as they were in the original response.`;
    });
  }
}

/** Returns the order of thoughts and calls, up to the last call. */
function orderOf(blocks: readonly MessagesBlock[]): string {
  const last = blocks.findLastIndex(({ type }) => type === 'tool_use');
  const reported = blocks.slice(0, last).filter(({ type }) => type !== 'text');
  return JSON.stringify(reported.map(({ type, thinking, data }) => [type, thinking, data]));
}
