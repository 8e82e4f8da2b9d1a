/* Converts the service's chunks to Folio's events and to the complete answer. */

import type { Candidate, FunctionCall, Part as GeminiPart, GenerateContentResponse } from '@google/genai/web';
import type { Part, Usage } from '../../../protocol/events.ts';
import type { Citation } from '../../../protocol/values.ts';
import { isRecord } from '../../base/record.ts';
import type { ModelEnd } from '../../core/model.ts';
import { type AnswerGatherer, buildModelEnd, type TextEvent } from '../wire/streamAnswer.ts';
import { parseTokenCount } from '../wire/tokenCount.ts';
import { findStreamFailure, type GeminiStop } from './streamCheck.ts';

/** The chunk as received. The services use two names for citations, and explain an unusual finish. */
interface AnswerChunk extends Pick<GenerateContentResponse, 'promptFeedback' | 'usageMetadata'> {
  readonly candidates?: readonly WireCandidate[];
}

interface WireCandidate extends Omit<Candidate, 'citationMetadata'> {
  readonly citationMetadata?: {
    readonly citations?: readonly Quoted[];
    readonly citationSources?: readonly Quoted[];
  };
}

interface Quoted {
  readonly uri?: string;
  readonly title?: string;
}

export class GeminiGatherer implements AnswerGatherer {
  private readonly parts: Part[] = [];
  private readonly citations = new Map<string, Citation>();
  private readonly newId: () => string;
  private usage: Usage | undefined;
  private stop: GeminiStop = {};

  constructor(newId: () => string) {
    this.newId = newId;
  }

  get isOver(): boolean {
    return this.stop.finish !== undefined;
  }

  *take(event: unknown): Generator<TextEvent> {
    if (!isRecord(event)) return;
    const chunk: AnswerChunk = event;
    const { blockReason, blockReasonMessage } = chunk.promptFeedback ?? {};
    const candidate = chunk.candidates?.[0];
    this.usage = toUsage(chunk) ?? this.usage;
    this.stop = {
      finish: candidate?.finishReason ?? this.stop.finish,
      finishMessage: candidate?.finishMessage ?? this.stop.finishMessage,
      blockReason: blockReason ?? this.stop.blockReason,
      blockMessage: blockReasonMessage ?? this.stop.blockMessage,
    };
    if (!candidate) return;
    for (const citation of citationsOf(candidate)) this.citations.set(citation.uri, citation);
    for (const part of candidate.content?.parts ?? []) {
      // Some proxies send empty elements.
      if (part) yield* this.addPart(part);
    }
  }

  end(): ModelEnd {
    const { parts, usage, stop, isOver } = this;
    const hasCalls = parts.some(({ kind }) => kind === 'call');
    const error = findStreamFailure(stop, hasCalls);
    if (error) return { ok: false, error };
    const { finish = 'FINISH_REASON_UNSPECIFIED' } = stop;
    const isCut = finish === 'MAX_TOKENS';
    return buildModelEnd(
      {
        // Calls arrive whole, even if the end is missing.
        isOver: isOver || hasCalls,
        ended: isCut ? 'cut' : 'normally',
        hasCalls,
        text: parts.map(part => (part.kind === 'text' ? part.text : '')).join(''),
        hasMedia: parts.some(({ kind }) => kind === 'blob'),
        hasThought: parts.some(({ kind }) => kind === 'thought'),
        refusal: '',
      },
      {
        message: { role: 'model', parts },
        finish,
        cut: isCut || undefined,
        citations: [...this.citations.values()],
        usage,
      },
    );
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

  /**
   * Appends a delta to the last part. A part with a signature stays separate, because the signature covers it alone.
   */
  private append(kind: 'text' | 'thought', text: string, signature: string | undefined): void {
    const last = this.parts.at(-1);
    if (!signature && last?.kind === kind && !last.signature) {
      this.parts[this.parts.length - 1] = { kind, text: last.text + text };
    } else if (text !== '' || signature) {
      this.parts.push({ kind, text, ...withSignature(signature) });
    }
  }
}

/** A member of an unexpected type counts as missing, because the core relies on the types. */
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
    prompt:
      parseTokenCount(usageMetadata.promptTokenCount) +
      parseTokenCount(usageMetadata.toolUsePromptTokenCount),
    cached: parseTokenCount(usageMetadata.cachedContentTokenCount),
    output: parseTokenCount(usageMetadata.candidatesTokenCount),
    thoughts: parseTokenCount(usageMetadata.thoughtsTokenCount),
  };
}

function citationsOf(candidate: WireCandidate): Citation[] {
  const { citations, citationSources } = candidate.citationMetadata ?? {};
  const quoted = citations ?? citationSources ?? [];
  const found = (candidate.groundingMetadata?.groundingChunks ?? []).map(chunk => chunk.web ?? {});
  // The service also lists pages that it could not read. They are no sources.
  const read = (candidate.urlContextMetadata?.urlMetadata ?? []).flatMap(url =>
    url.urlRetrievalStatus?.endsWith('_SUCCESS') ? [{ uri: url.retrievedUrl }] : [],
  );
  const sources: readonly { uri?: string; title?: string }[] = [...quoted, ...found, ...read];
  return sources.flatMap(({ uri, title }) => (uri ? [title ? { uri, title } : { uri }] : []));
}
