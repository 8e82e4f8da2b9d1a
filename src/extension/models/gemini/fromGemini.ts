/* From the service's chunks to Folio's events, and to the answer as a whole. */

import type { FunctionCall, Part as GeminiPart } from '@google/genai/web';
import type { Message, Part, Usage } from '../../../protocol/events.ts';
import type { Citation } from '../../../protocol/values.ts';
import type { ModelEvent } from '../../core/model.ts';
import { tokenCount } from '../wire/tokenCount.ts';
import type { AnswerChunk, WireCandidate } from './answerChunks.ts';

/** The sum of an answer once its stream is over; streamCheck classifies whether it is valid. */
export interface Gathered {
  readonly message: Message;
  readonly usage: Usage | undefined;
  readonly finish: string | undefined;
  /** The service's own explanation of an unusual finish. */
  readonly finishMessage: string | undefined;
  /** Set when the prompt itself was refused. */
  readonly blockReason: string | undefined;
  /** The service's own explanation of that. */
  readonly blockMessage: string | undefined;
  readonly citations: readonly Citation[];
}

type TextEvent = Extract<ModelEvent, { text: string }>;

export class AnswerGatherer {
  private readonly parts: Part[] = [];
  private readonly citations = new Map<string, Citation>();
  private readonly newId: () => string;
  private usage: Usage | undefined;
  private finish: string | undefined;
  private finishMessage: string | undefined;
  private blockReason: string | undefined;
  private blockMessage: string | undefined;

  constructor(newId: () => string) {
    this.newId = newId;
  }

  /** Text that arrived together is told together: in a flood each event would cost more than its text. */
  addChunks(chunks: readonly AnswerChunk[]): readonly ModelEvent[] {
    const reported: { type: TextEvent['type']; text: string }[] = [];
    for (const chunk of chunks) {
      for (const { type, text } of this.addChunk(chunk)) {
        const last = reported.at(-1);
        if (last?.type === type) last.text += text;
        else reported.push({ type, text });
      }
    }
    return reported;
  }

  private *addChunk(chunk: AnswerChunk): Generator<TextEvent> {
    this.usage = toUsage(chunk) ?? this.usage;
    this.blockReason = chunk.promptFeedback?.blockReason ?? this.blockReason;
    this.blockMessage = chunk.promptFeedback?.blockReasonMessage ?? this.blockMessage;
    const candidate = chunk.candidates?.[0];
    if (!candidate) return;
    this.finish = candidate.finishReason ?? this.finish;
    this.finishMessage = candidate.finishMessage ?? this.finishMessage;
    for (const citation of citationsOf(candidate)) this.citations.set(citation.uri, citation);
    for (const part of candidate.content?.parts ?? []) {
      // Proxies have been seen to send holes.
      if (part) yield* this.addPart(part);
    }
  }

  gathered(): Gathered {
    const { usage, finish, finishMessage, blockReason, blockMessage } = this;
    const citations = [...this.citations.values()];
    return {
      message: { role: 'model', parts: this.parts },
      usage,
      finish,
      finishMessage,
      blockReason,
      blockMessage,
      citations,
    };
  }

  private *addPart(part: GeminiPart): Generator<TextEvent> {
    const signature = part.thoughtSignature;
    if (part.functionCall) {
      this.parts.push({ ...callOf(part.functionCall, this.newId), ...withSignature(signature) });
    } else if (part.inlineData?.data) {
      const { mimeType = 'application/octet-stream', data } = part.inlineData;
      this.parts.push({ kind: 'blob', blob: { mimeType, data } });
    } else if (typeof part.text === 'string') {
      const kind = part.thought ? 'thought' : 'text';
      this.append(kind, part.text, signature);
      if (part.text !== '') yield { type: kind, text: part.text };
    }
  }

  /** Deltas grow one part; a part with a signature stays as it came, for the signature belongs to it alone. */
  private append(kind: 'text' | 'thought', text: string, signature: string | undefined): void {
    const last = this.parts.at(-1);
    if (!signature && last?.kind === kind && !last.signature) {
      this.parts[this.parts.length - 1] = { kind, text: last.text + text };
    } else if (text !== '' || signature) {
      this.parts.push({ kind, text, ...withSignature(signature) });
    }
  }
}

/** A member of another type than promised counts as missing: the core relies on the types. */
function callOf({ id, name, args }: FunctionCall, newId: () => string): Extract<Part, { kind: 'call' }> {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return {
    kind: 'call',
    id: typeof id === 'string' && id !== '' ? id : newId(),
    name: typeof name === 'string' ? name : '',
    args: isObject ? args : {},
  };
}

function withSignature(signature: string | undefined): { signature?: string } {
  return signature ? { signature } : {};
}

function toUsage({ usageMetadata }: AnswerChunk): Usage | undefined {
  if (!usageMetadata) return undefined;
  return {
    prompt: tokenCount(usageMetadata.promptTokenCount) + tokenCount(usageMetadata.toolUsePromptTokenCount),
    cached: tokenCount(usageMetadata.cachedContentTokenCount),
    output: tokenCount(usageMetadata.candidatesTokenCount),
    thoughts: tokenCount(usageMetadata.thoughtsTokenCount),
  };
}

function citationsOf(candidate: WireCandidate): Citation[] {
  const { citations, citationSources } = candidate.citationMetadata ?? {};
  const quoted = citations ?? citationSources ?? [];
  const found = (candidate.groundingMetadata?.groundingChunks ?? []).map(chunk => chunk.web ?? {});
  // A page that could not be read is no source, though the service names it.
  const read = (candidate.urlContextMetadata?.urlMetadata ?? []).flatMap(url =>
    url.urlRetrievalStatus?.endsWith('_SUCCESS') ? [{ uri: url.retrievedUrl }] : [],
  );
  const sources: readonly { uri?: string; title?: string }[] = [...quoted, ...found, ...read];
  return sources.flatMap(({ uri, title }) => (uri ? [title ? { uri, title } : { uri }] : []));
}
