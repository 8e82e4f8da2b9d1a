/* Converts the history to the service's format. */

import type { Content, Part as GeminiPart } from '@google/genai/web';
import type { Message, Part } from '../../../protocol/events.ts';
import { validToolName } from '../wire/validToolName.ts';

/**
 * The service accepts this value in place of a missing signature, for calls by another model or from before signatures
 * were stored. See "Thought signatures" in the API's documentation.
 */
const unsigned = 'skip_thought_signature_validator';

/**
 * @param nested the model accepts binary content inside results (generation 3). Older models take it only next to the
 * results, and results must stay together.
 */
export function toContent(message: Message, nested: boolean): Content {
  const parts = message.parts.flatMap(part => toPart(part, nested));
  const blobs = message.parts.flatMap(part => (part.kind === 'result' && !nested ? (part.blobs ?? []) : []));
  return { role: message.role, parts: [...parts, ...blobs.map(blob => ({ inlineData: { ...blob } }))] };
}

/** In the active loop, the first call of a model turn must carry a signature. */
export function withSignature(content: Content): Content {
  const first = content.parts?.findIndex(part => part.functionCall) ?? -1;
  const part = content.parts?.[first];
  if (!part || part.thoughtSignature) return content;
  return { ...content, parts: content.parts!.with(first, { ...part, thoughtSignature: unsigned }) };
}

function toPart(part: Part, nested: boolean): GeminiPart[] {
  switch (part.kind) {
    case 'text':
      // The service rejects an empty text, unless it carries a signature.
      return part.text || part.signature ? [{ text: part.text, ...signed(part.signature) }] : [];
    case 'thought':
      // Thoughts are not sent back, but a signature must return in its original part. A signature with an origin was
      // made by another service for a model of the same name.
      return part.signature && !part.origin
        ? [{ text: part.text, thought: true, ...signed(part.signature) }]
        : [];
    case 'call':
      return [
        {
          functionCall: { id: part.id, name: validToolName(part.name), args: { ...part.args } },
          ...signed(part.signature),
        },
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
    name: validToolName(part.name),
    response: part.ok ? { output: part.text } : { error: part.text },
    parts: blobs?.map(blob => ({ inlineData: { ...blob } })),
  };
}

function signed(signature: string | undefined): { thoughtSignature?: string } {
  return signature ? { thoughtSignature: signature } : {};
}
