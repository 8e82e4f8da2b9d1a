/*
 * OpenAI's Responses refuse: calls without results and results without calls, sealed thoughts that are changed or
 * stand before something else than they did, strict tools with open schemas, and parameters that a model does not take.
 */

import { firstFault, isObject } from './geminiToolRules.ts';
import { findDeclaredSchemaFault } from './jsonSchemaRules.ts';
import { findOpenAiPictureFault, pictureIn, type SentPicture } from './pictureRules.ts';
import { sealOf } from './responsesAnswers.ts';

export interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly Readonly<Record<string, unknown>>[];
  readonly phase?: string;
  readonly id?: string;
  readonly summary?: readonly { readonly type?: string; readonly text?: string }[];
  readonly encrypted_content?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}

/** The body as it came; nothing of it is known to be right. */
export interface ResponsesBody {
  readonly model?: string;
  readonly instructions?: string;
  readonly input?: readonly InputItem[];
  readonly tools?: readonly {
    readonly type?: string;
    readonly name?: string;
    readonly parameters?: unknown;
    readonly strict?: boolean;
  }[];
  readonly tool_choice?: unknown;
  readonly store?: boolean;
  readonly include?: readonly string[];
  readonly reasoning?: { readonly summary?: string; readonly effort?: string };
  readonly text?: { readonly verbosity?: string };
  readonly temperature?: number;
  readonly prompt_cache_key?: string;
  readonly parallel_tool_calls?: unknown;
  readonly stream?: boolean;
}

const known =
  'model instructions input tools tool_choice store include reasoning text temperature prompt_cache_key parallel_tool_calls stream'.split(
    ' ',
  );

/** @param thinks whether the model takes the parameters of those that think. `undefined` when the request is valid. */
export function findResponsesFault(
  body: ResponsesBody,
  thinks: (model: string) => boolean,
): string | undefined {
  const unknown = Object.keys(body).find(key => !known.includes(key));
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  const { model = '', input = [], tools = [] } = body;
  if (model === '') return "Missing required parameter: 'model'.";
  if (body.store !== false) return 'This organization keeps no responses: store must be false.';
  if (input.length === 0) return "Invalid 'input': empty array.";
  // "Create a model response" of the service's reference: an optional boolean, with and without tools.
  if (!['undefined', 'boolean'].includes(typeof body.parallel_tool_calls))
    return "Invalid type for 'parallel_tool_calls'.";
  if ((body.prompt_cache_key ?? '').length > 64) return "Invalid 'prompt_cache_key': string too long.";
  return (
    findParameterFault(body, thinks(model)) ??
    firstFault(input, (item, at) => findItemFault(item, input[at + 1], `input[${at}]`)) ??
    findPairFault(input) ??
    findOpenAiPictureFault(picturesOf(input)) ??
    firstFault(tools, findToolFault) ??
    (body.tool_choice !== undefined && tools.length === 0
      ? "Tool choice 'required' must be specified with 'tools'."
      : undefined)
  );
}

function picturesOf(input: readonly InputItem[]): readonly SentPicture[] {
  return input.flatMap(({ content, output }, item) =>
    [['content', content] as const, ['output', output] as const].flatMap(([name, list]) =>
      (Array.isArray(list) ? list : []).flatMap(({ type, image_url: url }, at): readonly SentPicture[] =>
        type === 'input_image' ? [pictureIn(String(url), `input[${item}].${name}[${at}]`)] : [],
      ),
    ),
  );
}

function findParameterFault(body: ResponsesBody, thinks: boolean): string | undefined {
  return findVerbosityFault(body) ?? findThinkingFault(body, thinks);
}

/** Models before the fifth write as they do, and those for code take one step alone. */
function findVerbosityFault({ model = '', text }: ResponsesBody): string | undefined {
  const wanted = text?.verbosity;
  if (wanted === undefined) return undefined;
  const steps = /^gpt-5(?!.*(chat|codex))/.test(model) ? ['low', 'medium', 'high'] : ['medium'];
  return steps.includes(wanted)
    ? undefined
    : `Unsupported value: '${wanted}' is not supported with the '${model}' model. Supported values are: ${steps.map(step => `'${step}'`).join(', ')}.`;
}

function findThinkingFault(body: ResponsesBody, thinks: boolean): string | undefined {
  if (thinks) {
    const effort = body.reasoning?.effort;
    if (effort !== undefined && !effortsOf(body.model ?? '').includes(effort))
      return `Unsupported value: '${effort}' is not supported with the '${body.model}' model.`;
    if (body.temperature !== undefined)
      return "Unsupported parameter: 'temperature' is not supported with this model.";
    return body.include?.includes('reasoning.encrypted_content')
      ? undefined
      : 'Without the sealed thoughts nothing can be kept.';
  }
  if (body.include?.length) return 'Encrypted content is not supported with this model.';
  return body.reasoning && "Unsupported parameter: 'reasoning' is not supported with this model.";
}

/** By the pages of the models. */
function effortsOf(model: string): readonly string[] {
  const usual = ['low', 'medium', 'high'];
  if (/^gpt-(5\.6|6)/.test(model)) return [...usual, 'xhigh', 'max'];
  return /^gpt-5\.([2-5]|1-codex-max)/.test(model) ? [...usual, 'xhigh'] : usual;
}

const contentTypes = ['input_text', 'input_image', 'input_file'];

function findItemFault(item: InputItem, next: InputItem | undefined, place: string): string | undefined {
  const { type = 'message', role, content, id = '', call_id = '', name = '', output } = item;
  switch (type) {
    case 'message':
      if (role === 'assistant')
        return typeof content === 'string' && content !== '' ? undefined : `${place}: no content`;
      if (role !== 'user' || !Array.isArray(content) || content.length === 0) return `${place}: no content`;
      return firstFault(content, findContentFault);
    case 'reasoning':
      if (item.encrypted_content !== sealOf(id))
        return 'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.';
      return next?.type === 'function_call' || next?.type === 'reasoning' || next?.role === 'assistant'
        ? undefined
        : `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    case 'function_call':
      if (call_id === '' || call_id.length > 64) return `Invalid '${place}.call_id'.`;
      if (!/^[\w-]{1,64}$/.test(name)) return `Invalid '${place}.name'.`;
      return isJsonObject(item.arguments) ? undefined : `Invalid '${place}.arguments'.`;
    case 'function_call_output':
      if (typeof output === 'string') return undefined;
      return Array.isArray(output) ? firstFault(output, findContentFault) : `Invalid '${place}.output'.`;
    default:
      return `Invalid value: '${type}'.`;
  }
}

function findContentFault(content: Readonly<Record<string, unknown>>): string | undefined {
  const { type, text, image_url, file_data } = content;
  if (!contentTypes.includes(String(type))) return `Invalid value: '${type}'.`;
  if (type === 'input_text' && (typeof text !== 'string' || text === '')) return 'Empty text.';
  if (type === 'input_image' && !/^data:image\//.test(String(image_url))) return 'Invalid image.';
  return type === 'input_file' && !/^data:application\/pdf/.test(String(file_data))
    ? 'Invalid file.'
    : undefined;
}

/** Every call is answered once, behind it and before the next word of a user. */
function findPairFault(input: readonly InputItem[]): string | undefined {
  const open = new Set<string>();
  const all = new Set<string>();
  for (const { type, role, call_id: id = '' } of input) {
    if (type === 'function_call') {
      if (all.has(id)) return `Duplicate item found with call_id ${id}.`;
      all.add(id);
      open.add(id);
    }
    if (type === 'function_call_output' && !open.delete(id))
      return `No tool call found for function call output with call_id ${id}.`;
    if (role !== undefined && open.size > 0 && role === 'user') break;
  }
  const [unanswered] = open;
  return unanswered && `No tool output found for function call ${unanswered}.`;
}

function findToolFault(tool: NonNullable<ResponsesBody['tools']>[number], at: number): string | undefined {
  const { type, name = '', parameters, strict } = tool;
  // "Web search" of the service's documentation: a tool of its own type, without a name.
  if (type === 'web_search') return name === '' ? undefined : `Unknown parameter: 'tools[${at}].name'.`;
  if (type !== 'function' || !/^[\w-]{1,64}$/.test(name)) return `Invalid 'tools[${at}].name'.`;
  if (!isObject(parameters) || parameters.type !== 'object')
    return `Invalid schema for function '${name}': schema must be of type "object".`;
  const fault = findDeclaredSchemaFault(parameters);
  if (fault !== undefined) return `Invalid schema for function '${name}': ${fault}.`;
  if (strict === false) return undefined;
  // It holds where nothing is said.
  if (parameters.additionalProperties !== false)
    return `Invalid schema for function '${name}': 'additionalProperties' is required to be supplied and to be false.`;
  const { required = [], properties = {} } = parameters;
  return Object.keys(properties as object).every(key => (required as readonly unknown[]).includes(key))
    ? undefined
    : `Invalid schema for function '${name}': 'required' is required to be supplied and to be an array including every key in properties.`;
}

/** What a server answered: each thought comes back right before what followed it. */
export class GivenItems {
  private readonly followers = new Map<string, string>();

  remember(items: readonly InputItem[]): void {
    items.forEach((item, at) => {
      const next = items[at + 1];
      if (item.type === 'reasoning' && next) this.followers.set(item.id ?? '', kindOf(next));
    });
  }

  findFault({ input = [] }: ResponsesBody): string | undefined {
    return firstFault(input, ({ type, id = '' }, at) => {
      const follower = type === 'reasoning' ? this.followers.get(id) : undefined;
      return follower === undefined || follower === kindOf(input[at + 1]!)
        ? undefined
        : `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    });
  }
}

function kindOf({ type = 'message', id, name }: InputItem): string {
  return `${type} ${type === 'reasoning' ? id : name}`;
}

function isJsonObject(value: unknown): boolean {
  try {
    return isObject(JSON.parse(String(value)));
  } catch {
    // No JSON at all.
    return false;
  }
}
