/* The part of Gemini's wire format that Folio uses, and builders for chunks of an answer. */

export interface WireBody {
  readonly contents?: readonly WireContent[];
  readonly systemInstruction?: WireContent;
  readonly tools?: readonly WireTool[];
  readonly toolConfig?: WireToolConfig;
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

interface WireToolConfig {
  readonly functionCallingConfig?: {
    readonly mode?: string;
    readonly allowedFunctionNames?: readonly string[];
  };
}

export interface WireContent {
  readonly role?: string;
  readonly parts?: readonly WirePart[];
}

export interface WirePart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: WireCall;
  readonly functionResponse?: WireResponse;
  readonly inlineData?: { readonly mimeType?: string; readonly data?: string };
}

interface WireCall {
  readonly id?: string;
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface WireResponse {
  readonly id?: string;
  readonly name: string;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly parts?: readonly WirePart[];
}

export interface WireTool {
  readonly functionDeclarations?: readonly WireDeclaration[];
  readonly googleSearch?: object;
  readonly urlContext?: object;
}

interface WireDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: unknown;
}

export interface WireChunk {
  readonly candidates?: readonly WireCandidate[];
  readonly usageMetadata?: WireUsage;
  readonly promptFeedback?: { readonly blockReason?: string; readonly blockReasonMessage?: string };
  readonly modelVersion?: string;
  readonly responseId?: string;
}

interface WireCandidate {
  readonly index?: number;
  readonly content?: WireContent;
  readonly finishReason?: string;
  readonly finishMessage?: string;
  readonly groundingMetadata?: object;
  readonly citationMetadata?: object;
  readonly urlContextMetadata?: object;
}

export interface WireUsage {
  readonly promptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly totalTokenCount?: number;
}

export function partChunk(...parts: readonly WirePart[]): WireChunk {
  return { candidates: [{ index: 0, content: { role: 'model', parts } }] };
}

export function finishChunk(reason: string, usage?: WireUsage): WireChunk {
  const candidate = { index: 0, content: { role: 'model', parts: [] }, finishReason: reason };
  return usage ? { candidates: [candidate], usageMetadata: usage } : { candidates: [candidate] };
}

/** About four bytes per token: an estimate that is the same everywhere. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

/** Joins the chunks of a stream into one response, like that of the call without streaming. */
export function joinChunks(chunks: readonly WireChunk[]): WireChunk {
  const candidates = chunks.flatMap(chunk => chunk.candidates ?? []);
  const parts = candidates.flatMap(candidate => candidate.content?.parts ?? []);
  const joined = Object.assign({}, ...candidates, { content: { role: 'model', parts } });
  return { ...Object.assign({}, ...chunks), candidates: candidates.length > 0 ? [joined] : undefined };
}
