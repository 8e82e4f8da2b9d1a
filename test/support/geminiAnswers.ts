/* What a scripted Gemini answers: steps of a stream, and ways to misbehave. See geminiServer.ts for the whole. */

import {
  finishChunk,
  partChunk,
  type WireChunk,
  type WirePart,
  type WireUsage,
} from '../../src/extension/rehearsal/wire.ts';

/** A list of steps is streamed in order. Unless its last step ends it in its own way, it ends with STOP. */
export type Answer = readonly Step[] | Refusal;

export type Step =
  | { readonly kind: 'chunk'; readonly chunk: WireChunk }
  | {
      readonly kind: 'finish';
      readonly reason: string;
      readonly usage?: WireUsage;
      readonly message?: string;
    }
  /** Sent as they are, whether they make sense or not. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A chunk in writes of one byte, so that every character is torn. */
  | { readonly kind: 'torn'; readonly chunk: WireChunk }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  /** Says nothing more until the client leaves. */
  | { readonly kind: 'hang' }
  /** Breaks the connection. */
  | { readonly kind: 'reset' }
  /** Ends the stream properly, but without a finish reason. */
  | { readonly kind: 'stop' };

export type Refusal =
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: readonly object[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never sends a header. */
  | { readonly kind: 'silence' }
  /** Breaks the connection before a header is sent. */
  | { readonly kind: 'hangUp' }
  /** Any body, as a proxy might send it. */
  | { readonly kind: 'page'; readonly status: number; readonly type: string; readonly body: string };

export function text(value: string, signature?: string): Step {
  return part({ text: value, ...signedBy(signature) });
}

export function thought(value: string, signature?: string): Step {
  return part({ text: value, thought: true, ...signedBy(signature) });
}

/** Reads a file and writes all of it, as the tools want it of a file that is there. */
export function overwrite(file_path: string, content: string): readonly [Step, Step] {
  return [call('read_file', { file_path }), call('write_file', { file_path, content })];
}

/** Without an id, as the service mostly sends calls, unless one is given. */
export function call(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  more: { readonly id?: string; readonly signature?: string } = {},
): Step {
  const id = more.id ? { id: more.id } : {};
  return part({ functionCall: { ...id, name, args }, ...signedBy(more.signature) });
}

export function part(...parts: readonly WirePart[]): Step {
  return { kind: 'chunk', chunk: partChunk(...parts) };
}

export function chunk(value: WireChunk): Step {
  return { kind: 'chunk', chunk: value };
}

export function torn(value: string): Step {
  return { kind: 'torn', chunk: partChunk({ text: value }) };
}

export function finish(reason = 'STOP', usage?: WireUsage, message?: string): Step {
  return { kind: 'finish', reason, ...(usage ? { usage } : {}), ...(message ? { message } : {}) };
}

export function pause(ms: number): Step {
  return { kind: 'pause', ms };
}

export function waitFor(until: Promise<unknown>): Step {
  return { kind: 'wait', until };
}

export const hang: Step = { kind: 'hang' };
export const reset: Step = { kind: 'reset' };
export const noFinish: Step = { kind: 'stop' };

/** A chunk that is not JSON. */
export const malformedChunk: Step = bytes('data: {"candidates": [{]}\r\n\r\n');

/** The stream ends within a chunk. */
export const cutInChunk: readonly Step[] = [bytes('data: {"candidates":[{"content":{"par'), noFinish];

/** The stream ends after the first of the two bytes of an umlaut. */
export const cutInCharacter: readonly Step[] = [
  bytes('data: {"candidates":[{"content":{"parts":[{"text":"Gr'),
  { kind: 'bytes', bytes: Uint8Array.of(0xc3) },
  noFinish,
];

/** Headers, and then nothing but the end. */
export const emptyStream: readonly Step[] = [noFinish];

export const malformedCall: readonly Step[] = [
  finish('MALFORMED_FUNCTION_CALL', undefined, 'Malformed function call: print(read_file('),
];

/** An error in the place of a chunk, after the status was already 200. */
export function errorChunk(status: number, code: string, message: string): Step {
  return bytes(`data: ${JSON.stringify({ error: { code: status, message, status: code } })}\r\n\r\n`);
}

export function bytes(value: string): Step {
  return { kind: 'bytes', bytes: new TextEncoder().encode(value) };
}

export const silence: Refusal = { kind: 'silence' };
export const hangUp: Refusal = { kind: 'hangUp' };

export function page(status: number, body: string, type = 'text/html'): Refusal {
  return { kind: 'page', status, type, body };
}

export function refusal(
  status: number,
  code: string,
  message: string,
  details: readonly object[] = [],
  headers?: Readonly<Record<string, string>>,
): Refusal {
  return { kind: 'refusal', status, code, message, details, ...(headers ? { headers } : {}) };
}

export function rateLimited(retryAfterSeconds?: number): Refusal {
  const details = [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel')];
  const wait = retryAfterSeconds === undefined ? [] : [retryInfo(retryAfterSeconds)];
  return refusal(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [...details, ...wait]);
}

export function dailyQuota(): Refusal {
  const details = [quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryInfo(12)];
  return refusal(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', details);
}

export function invalidKey(): Refusal {
  const details = [errorInfo('API_KEY_INVALID')];
  return refusal(400, 'INVALID_ARGUMENT', 'API key not valid. Pass a valid API key.', details);
}

export const unauthenticated = refusal(401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
export const permissionDenied = refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission.');
export const modelNotFound = refusal(404, 'NOT_FOUND', 'models/x is not found for API version v1beta.');
export const internalError = refusal(500, 'INTERNAL', 'An internal error has occurred.');
export const unavailable = refusal(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');

export function retryInfo(seconds: number): object {
  return { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` };
}

export function quotaFailure(quotaId: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] };
}

export function errorInfo(reason: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' };
}

/** Chunks and the end of an answer's steps as they go over the wire; for those that can be known in advance. */
export function finishOf(step: Extract<Step, { kind: 'finish' }>): WireChunk {
  const made = finishChunk(step.reason, step.usage);
  if (!step.message) return made;
  return { ...made, candidates: [{ ...made.candidates?.[0], finishMessage: step.message }] };
}

function signedBy(signature: string | undefined): { thoughtSignature?: string } {
  return signature ? { thoughtSignature: signature } : {};
}
