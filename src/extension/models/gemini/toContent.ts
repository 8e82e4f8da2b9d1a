/* The history as the service reads it. */

import type { Content, Part as GeminiPart } from '@google/genai/web';
import type { Message, Part } from '../../../protocol/events.ts';
import { wireToolName } from '../wire/wireToolName.ts';

/**
 * The service accepts this word where a model's call has no signature, because it came from another model or
 * from before signatures were kept. See "Thought signatures" in the API's documentation.
 */
const unsigned = 'skip_thought_signature_validator';

/**
 * @param nested the model takes binary content inside of results, as the third generation does; older ones take it
 * only beside the results, and these must stay together
 */
export function toContent(message: Message, nested: boolean): Content {
  const parts = message.parts.flatMap(part => toPart(part, nested));
  const blobs = message.parts.flatMap(part => (part.kind === 'result' && !nested ? (part.blobs ?? []) : []));
  return { role: message.role, parts: [...parts, ...blobs.map(blob => ({ inlineData: { ...blob } }))] };
}

/** The first call of a model's turn must carry a signature in the loop that runs. */
export function withSignature(content: Content): Content {
  const first = content.parts?.findIndex(part => part.functionCall) ?? -1;
  const part = content.parts?.[first];
  if (!part || part.thoughtSignature) return content;
  return { ...content, parts: content.parts!.with(first, { ...part, thoughtSignature: unsigned }) };
}

function toPart(part: Part, nested: boolean): GeminiPart[] {
  switch (part.kind) {
    case 'text':
      // An empty text is refused, unless it only carries a signature.
      return part.text || part.signature ? [{ text: part.text, ...signed(part.signature) }] : [];
    case 'thought':
      // Thoughts are not sent back, but a signature must return in the part that it came in.
      // One with an origin was sealed by another service, behind a model of the same name.
      return part.signature && !part.origin
        ? [{ text: part.text, thought: true, ...signed(part.signature) }]
        : [];
    case 'call':
      return [
        {
          functionCall: { id: part.id, name: wireToolName(part.name), args: { ...part.args } },
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
    name: wireToolName(part.name),
    response: part.ok ? { output: part.text } : { error: part.text },
    parts: blobs?.map(blob => ({ inlineData: { ...blob } })),
  };
}

function signed(signature: string | undefined): { thoughtSignature?: string } {
  return signature ? { thoughtSignature: signature } : {};
}
