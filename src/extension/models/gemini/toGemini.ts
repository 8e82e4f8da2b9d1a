/* From Folio's request to the parameters of the client. */

import type { Content, Part as GeminiPart, GenerateContentParameters, Tool } from '@google/genai/web';
import type { Message, Part } from '../../../protocol/events.ts';
import type { ModelRequest } from '../../core/model.ts';
import { isThirdGeneration, thinks } from './models.ts';

/**
 * The service accepts this word where a model's call has no signature, because it came from another model or
 * from before signatures were kept. See "Thought signatures" in the API's documentation.
 */
const unsigned = 'skip_thought_signature_validator';

export function toGemini(request: ModelRequest, signal: AbortSignal): GenerateContentParameters {
  const { model, system, temperature } = request;
  const tools = toTools(request);
  return {
    model,
    contents: toContents(request.messages, model),
    config: {
      ...(system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
      ...(tools.length > 0 ? { tools } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(thinks(model) ? { thinkingConfig: { includeThoughts: true } } : {}),
      abortSignal: signal,
      // A cut answer is asked for again as a whole by the core, which then also drops what was shown of it.
      automaticContinuation: false,
      automaticFunctionCalling: { disable: true },
    },
  };
}

function toTools({ builtIn, tools }: ModelRequest): Tool[] {
  if (builtIn === 'webSearch') return [{ googleSearch: {} }];
  if (builtIn === 'urlContext') return [{ urlContext: {} }];
  if (tools.length === 0) return [];
  return [
    {
      functionDeclarations: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parametersJsonSchema: parameters,
      })),
    },
  ];
}

/**
 * Messages without anything to send (only thoughts, say) are left out, and neighbours of the same role are put
 * together then, so that roles still alternate.
 */
export function toContents(messages: readonly Message[], model: string): Content[] {
  const contents: Content[] = [];
  for (const message of messages) {
    const parts = toParts(message, model);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === message.role) last.parts!.push(...parts);
    else contents.push({ role: message.role, parts });
  }
  if (isThirdGeneration(model)) signActiveLoop(contents);
  return contents;
}

function toParts(message: Message, model: string): GeminiPart[] {
  const nested = isThirdGeneration(model);
  const parts = message.parts.flatMap(part => toPart(part, nested));
  if (nested) return parts;
  // Older models take a result's binary content only beside the results, and these must stay together.
  const blobs = message.parts.flatMap(part => (part.kind === 'result' ? (part.blobs ?? []) : []));
  return [...parts, ...blobs.map(blob => ({ inlineData: { ...blob } }))];
}

function toPart(part: Part, nested: boolean): GeminiPart[] {
  switch (part.kind) {
    case 'text':
      // An empty text is refused, unless it only carries a signature.
      return part.text || part.signature ? [{ text: part.text, ...signed(part.signature) }] : [];
    case 'thought':
      // Thoughts are not sent back, but a signature must return in the part that it came in.
      return part.signature ? [{ text: part.text, thought: true, ...signed(part.signature) }] : [];
    case 'call':
      return [
        { functionCall: { id: part.id, name: part.name, args: { ...part.args } }, ...signed(part.signature) },
      ];
    case 'result':
      return [{ functionResponse: toFunctionResponse(part, nested) }];
    case 'blob':
      return [{ inlineData: { ...part.blob } }];
  }
}

function toFunctionResponse(part: Extract<Part, { kind: 'result' }>, nested: boolean) {
  const blobs = nested && part.blobs?.length ? part.blobs : undefined;
  return {
    id: part.id,
    name: part.name,
    response: part.ok ? { output: part.text } : { error: part.text },
    ...(blobs ? { parts: blobs.map(blob => ({ inlineData: { ...blob } })) } : {}),
  };
}

function signed(signature: string | undefined): { thoughtSignature?: string } {
  return signature ? { thoughtSignature: signature } : {};
}

/**
 * The service checks signatures of the loop that is going on: everything after the last prompt. There the first
 * call of each model turn must carry one.
 */
function signActiveLoop(contents: readonly Content[]): void {
  const prompt = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts?.some(part => part.functionResponse),
  );
  for (const content of contents.slice(prompt + 1)) {
    const call = content.role === 'model' ? content.parts?.find(part => part.functionCall) : undefined;
    if (call && !call.thoughtSignature) call.thoughtSignature = unsigned;
  }
}
