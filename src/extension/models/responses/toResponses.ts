/*
 * Converts Folio's request to the body of OpenAI's Responses API. The service stores nothing: the whole conversation is
 * sent, including encrypted thoughts, each right before the content it led to.
 */

import { createHash } from 'node:crypto';
import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { withFooter } from '../../core/history/footer.ts';
import type { ModelRequest, ToolDeclaration } from '../../core/model.ts';
import type { Verbosity } from '../../platform/settings.ts';
import { chatEffortValue, findChatEfforts, hasVerbosity, thinksByDefault } from '../openai/models.ts';
import { toFunction } from '../openai/toolSchema.ts';
import { nearestEffort } from '../wire/effort.ts';
import { validToolName } from '../wire/validToolName.ts';

interface ResponsesTarget {
  /** Host name. Only thoughts from the same host are sent back. */
  readonly server: string;
  /** The account may read thought summaries. */
  readonly summaries: boolean;
  readonly verbosity: Verbosity | undefined;
}

export function toResponses(
  request: ModelRequest,
  { server, summaries, verbosity }: ResponsesTarget,
): ResponseCreateParamsStreaming {
  const { model, system, messages, tools, mustCall, temperature, builtIn } = request;
  const thinks = thinksByDefault(model);
  return {
    model,
    instructions: system || undefined,
    tools:
      builtIn === 'webSearch' ? [{ type: 'web_search' }] : tools.length > 0 ? tools.map(toTool) : undefined,
    tool_choice: mustCall ? 'required' : undefined,
    input: withFooter(request).flatMap(message => toItems(message, server)),
    store: false,
    // Models that do not think reject both parameters.
    include: thinks ? ['reasoning.encrypted_content'] : undefined,
    reasoning: thinks ? thinkingFor(request, summaries) : undefined,
    text: verbosity !== undefined && hasVerbosity(model) ? { verbosity } : undefined,
    temperature: thinks ? undefined : temperature,
    prompt_cache_key: cacheKey(messages),
    stream: true,
  };
}

function thinkingFor({ model, effort: wanted }: ModelRequest, summaries: boolean): Reasoning | undefined {
  const effort = chatEffortValue(model, nearestEffort(wanted, findChatEfforts(model)));
  if (effort === undefined && !summaries) return undefined;
  return { effort, summary: summaries ? 'auto' : undefined };
}

/** Stays the same while the conversation begins the same way, so that its requests share one cache. */
function cacheKey([first]: readonly Message[]): string {
  return createHash('sha256').update(JSON.stringify(first)).digest('hex');
}

/** The default is `strict: true`, which demands that every property be required. */
function toTool(tool: ToolDeclaration): FunctionTool {
  return { type: 'function', ...toFunction(tool), strict: false };
}

function toItems({ role, parts }: Message, server: string): readonly ResponseInputItem[] {
  return role === 'user' ? userItems(parts) : modelItems(parts, server);
}

function userItems(parts: readonly Part[]): readonly ResponseInputItem[] {
  const results = parts.filter(part => part.kind === 'result');
  const content = parts.flatMap((part): readonly ResponseInputContent[] => {
    if (part.kind === 'text') return textContent(part.text);
    return part.kind === 'blob' ? [blobContent(part.blob)] : [];
  });
  return [
    ...results.map(({ id, ok, text, blobs = [] }): ResponseInputItem => {
      const said = ok ? text : `Error: ${text}`;
      const output = blobs.length > 0 ? [...textContent(said), ...blobs.map(blobContent)] : said;
      return { type: 'function_call_output', call_id: callId(id), output };
    }),
    ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
  ];
}

/** The service rejects a thought without the content it led to, so a trailing one is omitted. */
function modelItems(parts: readonly Part[], server: string): readonly ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  let phase: EasyInputMessage['phase'];
  for (const part of parts.slice(0, parts.findLastIndex(isSaid) + 1)) {
    switch (part.kind) {
      case 'text':
        if (part.text !== '') items.push({ role: 'assistant', content: part.text, phase });
        phase = undefined;
        break;
      case 'call':
        items.push({
          type: 'function_call',
          call_id: callId(part.id),
          name: validToolName(part.name),
          arguments: JSON.stringify(part.args),
        });
        break;
      case 'thought':
        if (part.origin?.server !== server) break;
        if (part.origin.member === phaseMember) phase = phaseOf(part.origin.sealed);
        else addThought(part, items);
    }
  }
  return items;
}

function isSaid(part: Part): boolean {
  return part.kind === 'call' || (part.kind === 'text' && part.text !== '');
}

type Thought = Extract<Part, { kind: 'thought' }>;

/** Member of a model's thought. The first part carries the encrypted thought, and each part one summary. */
export const thoughtMember = 'encrypted_content';

function addThought({ text, signature, origin }: Thought, items: ResponseInputItem[]): void {
  if (origin?.member !== thoughtMember || origin.id === undefined) return;
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }];
  const last = items.at(-1);
  if (last?.type === 'reasoning' && last.id === origin.id) last.summary.push(...summary);
  else if (signature !== undefined)
    items.push({ type: 'reasoning', id: origin.id, summary, encrypted_content: signature });
}

/** Member of a part without text. It says what the following text is for. */
export const phaseMember = 'phase';

function phaseOf(sealed: Readonly<Record<string, unknown>> | undefined): EasyInputMessage['phase'] {
  const phase = sealed?.phase;
  return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}

function textContent(text: string): Extract<ResponseInputContent, { type: 'input_text' }>[] {
  return text === '' ? [] : [{ type: 'input_text', text }];
}

function blobContent({ mimeType, data }: Blob): ResponseInputContent {
  const url = `data:${mimeType};base64,${data}`;
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType))
    return { type: 'input_image', image_url: url, detail: 'auto' };
  if (mimeType === 'application/pdf') return { type: 'input_file', filename: 'document.pdf', file_data: url };
  return { type: 'input_text', text: `(A file of the type ${mimeType}, which the model does not take.)` };
}

/** Ids of other services may be longer than this one accepts. */
function callId(id: string): string {
  return id.length > 64 ? createHash('sha256').update(id).digest('hex') : id;
}
