/*
 * What servers of the chat-completions protocol refuse, the strictest of each rule: that calls are answered at once and
 * by their ids, that roles alternate as the templates of local models demand, that content and schemas can be read.
 */

import { firstFault, isObject } from './geminiToolRules.ts';
import { findDeclaredSchemaFault } from './jsonSchemaRules.ts';
import { findOpenAiPictureFault, pictureIn, type SentPicture } from './pictureRules.ts';

/** The body as it came; nothing of it is known to be right. */
export interface ChatRequestBody {
  readonly model?: unknown;
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly type?: string;
    readonly function?: Readonly<Record<string, unknown>> & {
      readonly name?: string;
      readonly parameters?: unknown;
    };
  }[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: unknown;
  readonly temperature?: number;
  readonly reasoning_effort?: unknown;
  readonly max_tokens?: unknown;
  readonly parallel_tool_calls?: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly Readonly<Record<string, unknown>>[];
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[];
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly type?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
    readonly extra_content?: unknown;
  }[];
}

/** `undefined` when the request is valid. */
export function findChatFault(body: ChatRequestBody): string | undefined {
  const known = [
    'model',
    'messages',
    'tools',
    'tool_choice',
    'stream',
    'stream_options',
    'temperature',
    'reasoning_effort',
    'max_tokens',
    'parallel_tool_calls',
  ];
  const unknown = Object.keys(body).find(key => !known.includes(key));
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`;
  if (typeof body.model !== 'string' || body.model === '') return 'you must provide a model parameter';
  const { reasoning_effort: effort, model } = body;
  if (
    effort !== undefined &&
    !(/^(low|medium|high)$/.test(String(effort)) && /^(gpt-5|o\d|gpt-oss)/.test(model))
  )
    return `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model.`;
  const messages = body.messages ?? [];
  if (messages.length === 0) return "'messages' must not be empty";
  return (
    firstFault(messages, (message, at) => findMessageFault(message, messages[at - 1], `messages[${at}]`)) ??
    (model.startsWith('mistral') ? findOrderFault(messages) : undefined) ??
    findPairFault(messages) ??
    findOpenAiPictureFault(picturesOf(messages)) ??
    (['user', 'tool'].includes(messages.at(-1)!.role)
      ? undefined
      : 'The last message must be of user or tool.') ??
    firstFault(body.tools ?? [], (tool, at) => findToolFault(tool, `tools[${at}]`)) ??
    findChoiceFault(body) ??
    findLimitFault(body)
  );
}

/** Of Mistral's servers: https://github.com/mistralai/mistral-vibe/issues/578 and others, read on 2026-11-28. */
function findOrderFault(messages: readonly ChatMessage[]): string | undefined {
  return firstFault(messages, ({ role }, at) =>
    role === 'user' && messages[at - 1]?.role === 'tool'
      ? "Unexpected role 'user' after role 'tool'"
      : undefined,
  );
}

function picturesOf(messages: readonly ChatMessage[]): readonly SentPicture[] {
  return messages.flatMap(({ content }, message) =>
    (Array.isArray(content) ? content : []).flatMap(
      ({ type, image_url: image }, at): readonly SentPicture[] =>
        type === 'image_url' ? [pictureIn(String(image?.url), `messages[${message}].content[${at}]`)] : [],
    ),
  );
}

function findChoiceFault({ tools, tool_choice: choice }: ChatRequestBody): string | undefined {
  if (choice === undefined) return undefined;
  if (!tools?.length) return "'tool_choice' is only allowed when 'tools' are specified";
  return ['auto', 'none', 'required'].some(each => each === choice) ? undefined : 'Invalid tool_choice';
}

/** By "Create chat completion" of the service's reference: models that think do not take a limit by this name. */
function findLimitFault({ model, tools, max_tokens: limit, parallel_tool_calls: parallel }: ChatRequestBody) {
  const thinks = /^(gpt-5|o\d)/.test(String(model));
  if (limit !== undefined && thinks)
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) > 0))
    return `Invalid value for 'max_tokens': ${limit}.`;
  if (parallel === undefined) return undefined;
  if (/^o\d/.test(String(model)))
    return "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.";
  if (!tools?.length) return "'parallel_tool_calls' is only allowed when 'tools' are specified";
  return typeof parallel === 'boolean' ? undefined : "Invalid type for 'parallel_tool_calls'.";
}

function findMessageFault(
  message: ChatMessage,
  before: ChatMessage | undefined,
  place: string,
): string | undefined {
  const { role, content, tool_calls: calls } = message;
  if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `${place}: unknown role ${role}.`;
  if (role === 'system' && before) return `${place}: system must be the first message.`;
  if (role !== 'tool' && role === before?.role)
    return `${place}: roles must alternate, but ${role} comes twice.`;
  if (role === 'assistant' && calls) {
    if (calls.length === 0) return `${place}.tool_calls is too short.`;
    return firstFault(calls, (call, at) => findCallFault(call, `${place}.tool_calls[${at}]`));
  }
  if (role === 'tool') return typeof content === 'string' ? undefined : `${place}.content must be a text.`;
  if (typeof content === 'string') return content === '' ? `${place}.content must not be empty.` : undefined;
  if (!Array.isArray(content)) return `${place}: invalid type of content.`;
  if (content.length === 0) return `${place}.content must not be empty.`;
  const findFault = role === 'user' ? findPartFault : findThinkingFault;
  return firstFault(content, (part, at) => findFault(part, `${place}.content[${at}]`));
}

/** A model's own content comes in pieces only where it thinks among them. */
function findThinkingFault(part: Readonly<Record<string, unknown>>, place: string): string | undefined {
  if (part.type === 'text') return findPartFault(part, place);
  const thinking = part.type === 'thinking' && Array.isArray(part.thinking) ? part.thinking : [];
  return thinking.some(piece => typeof piece?.text === 'string') ? undefined : `${place}: no thought.`;
}

function findCallFault(
  call: NonNullable<ChatMessage['tool_calls']>[number],
  place: string,
): string | undefined {
  if (!call.id || call.type !== 'function') return `${place} needs an id and the type function.`;
  if (!/^[\w-]{1,64}$/.test(call.function?.name ?? '')) return `${place}.function.name is not a name.`;
  try {
    return isObject(JSON.parse(call.function?.arguments ?? ''))
      ? undefined
      : `${place}: arguments are no object.`;
  } catch {
    return `${place}: arguments are not JSON.`;
  }
}

function findPartFault(part: Readonly<Record<string, unknown>>, place: string): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text ? undefined : `${place}.text must not be empty.`;
    case 'image_url': {
      const { url } = part.image_url as { url?: string };
      return /^data:image\/[\w.+-]+;base64,[\w+/]/.test(url ?? '') ? undefined : `${place}: no image.`;
    }
    case 'input_audio': {
      const { data, format } = part.input_audio as { data?: string; format?: string };
      return data && (format === 'wav' || format === 'mp3') ? undefined : `${place}: no audio.`;
    }
    case 'file': {
      const { file_data: data, filename } = part.file as { file_data?: string; filename?: string };
      return data?.startsWith('data:application/pdf;base64,') && filename ? undefined : `${place}: no file.`;
    }
    case undefined:
      return `${place} has no type.`;
    default:
      return `${place}: unknown type ${part.type}.`;
  }
}

/** The messages right behind calls answer each of them once, and nothing else is answered. */
function findPairFault(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const [at, { role, tool_call_id: id = '', tool_calls: calls }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(id))
        return `messages[${at}]: no preceding message with tool_calls has the id ${id}.`;
      open = open.filter(each => each !== id);
    } else if (open.length > 0) {
      return `messages[${at}]: tool_calls must be followed by tool messages responding to each tool_call_id.`;
    } else {
      open = (calls ?? []).map(call => call.id ?? '');
      if (new Set(open).size < open.length) return `messages[${at}]: ids of tool_calls must differ.`;
    }
  }
  return open.length > 0 ? 'The last tool_calls have no answer.' : undefined;
}

function findToolFault(
  tool: NonNullable<ChatRequestBody['tools']>[number],
  place: string,
): string | undefined {
  const { type, function: declared } = tool;
  if (type !== 'function' || !/^[\w-]{1,64}$/.test(declared?.name ?? '')) return `${place} has no name.`;
  if (declared && 'strict' in declared) return `${place}: strict is not known here.`;
  const parameters = declared?.parameters;
  if (!isObject(parameters) || parameters.type !== 'object' || !isObject(parameters.properties)) {
    return `${place}: object schema missing properties.`;
  }
  const fault = findDeclaredSchemaFault(parameters);
  if (fault) return `${place}: Invalid schema for function '${declared?.name}': ${fault}.`;
  const refused = findUnknownKeyword(parameters);
  return refused ? `${place}: the grammar of the schema does not know ${refused}.` : undefined;
}

const unknownKeywords = [
  '$schema',
  '$id',
  'propertyNames',
  'pattern',
  'format',
  'default',
  'exclusiveMinimum',
];

/** What stands under `properties` are names and no keywords. */
function findUnknownKeyword(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return firstFault(schema, findUnknownKeyword);
  if (!isObject(schema)) return undefined;
  return firstFault(Object.entries(schema), ([keyword, value]) => {
    if (keyword === 'properties') return firstFault(Object.values(value as object), findUnknownKeyword);
    return unknownKeywords.includes(keyword) ? keyword : findUnknownKeyword(value);
  });
}
