/*
 * The one place that tells what a failure of a server means whose client library is given a `fetch` of ours, or of that
 * library, or of the network. In order: an abort; what the server said, by its words where they are known and then by
 * HTTP status; the network; a stream that cannot be read; anything else. What differs between services stands in their
 * `Service`.
 */

import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { ModelError, type ModelErrorKind } from '../../core/model.ts';
import { type ErrorBody, parseErrorBody } from './errorBody.ts';
import { findNetworkTrouble } from './networkErrors.ts';
import { parseRetryAfter } from './retryDelay.ts';
import type { Refusal, Service } from './service.ts';

/** Facts about a failure that the library's errors leave out. */
export interface FailureContext {
  readonly aborted: boolean;
  readonly service: Service;
  /** Host and port, for sentences. */
  readonly host: string;
  /** Absent when no model was asked. */
  readonly model?: string | undefined;
  /** It is kept out of what the server says. */
  readonly key?: string | undefined;
  /** The request declared tools. */
  readonly withTools?: boolean;
  /** An HTTP answer that was no success. */
  readonly refusal?: Refusal | undefined;
}

/** A server that wants to be left alone for longer has no quota left, whatever it calls it. */
const longestWaitMs = 300_000;

export function classifyFailure(error: unknown, context: FailureContext): ModelError {
  if (context.aborted) return new ModelError('aborted', 'Stopped.', { retryable: false, cause: error });
  if (error instanceof ModelError) return error;
  const { refusal } = context;
  if (refusal) return classifyAnswer(refusal.status, parseErrorBody(refusal.body), context);
  const inStream = bodyOf(error);
  if (inStream !== undefined) {
    const body = parseErrorBody(inStream);
    // Without a status it is the server's own trouble: it had taken the request.
    return classifyAnswer(body.status ?? context.service.statusOf?.(body) ?? 500, body, context);
  }
  const network = findNetworkTrouble(error);
  if (network) return networkFailure(network.code, network.passing, error, context);
  return classifyClientFailure(error, context);
}

/** The meaning of an error answer. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryable?: boolean;
  /** As in `ModelError`. */
  readonly forModel?: string;
}

/** The cause is not kept: servers repeat the API key in some errors, and causes are logged. */
function classifyAnswer(status: number, body: ErrorBody, context: FailureContext): ModelError {
  const wait = waitOf(context.refusal) ?? body.retryAfterMs;
  const { kind, message, forModel, retryable = false } = judge(status, body, wait, context);
  // A quota is not tried again soon, but it tells when it is renewed.
  const retryAfterMs = retryable || kind === 'quota' ? wait || undefined : undefined;
  return new ModelError(kind, message, { retryable, status, forModel, retryAfterMs });
}

function waitOf(refusal: Refusal | undefined): number | undefined {
  const milliseconds = Number(refusal?.retryAfterMs ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  return refusal?.retryAfter === undefined ? undefined : parseRetryAfter(refusal.retryAfter, Date.now());
}

function judge(status: number, body: ErrorBody, wait: number | undefined, context: FailureContext): Verdict {
  const { service, key, model } = context;
  const at = service.nameOf(context.host);
  const reason = said(body, key);
  if (status === 401) return { kind: 'auth', message: keyTrouble(at, key, service) };
  if (isTooLarge(status, body)) return { kind: 'tooLarge', message: tooLarge(service) };
  if (/tool_use_failed/.test(body.code))
    return { kind: 'invalidStream', message: badCall(reason), retryable: true, forModel: badAnswer(reason) };
  const toolTrouble = context.withTools ? findToolTrouble(body) : undefined;
  if (toolTrouble) return { kind: 'noTools', message: noTools(toolTrouble, model) };
  if (status === 402 || service.isSpent?.(status, body, wait) || isOutOfQuota(status, body, wait))
    return { kind: 'quota', message: quota(at, reason) };
  if (status === 403)
    return {
      kind: 'forbidden',
      message: `${at} does not allow this (${reason}). Check what the API key may use.`,
    };
  if (status === 404) return { kind: 'notFound', message: notFound(at, body, context) };
  if (status === 429) {
    return {
      kind: 'rateLimited',
      message: `${at} gets too many requests. Retry in a while.`,
      retryable: true,
    };
  }
  if (status === 408 || status === 499) {
    return {
      kind: 'network',
      message: `${at} gave the request up before it was answered. Retry.`,
      retryable: true,
    };
  }
  if (status >= 500) return { kind: 'overloaded', message: overloaded(at, status, reason), retryable: true };
  if (status === 400 || status === 422) {
    const message = `${at} cannot work with the request (${reason}). Choose another model with "Folio: Select Model", or start a new session with "Folio: New Session".`;
    return { kind: 'badRequest', message };
  }
  const message = `${at} answered with status ${status} (${reason}). Retry, or check the setting ${service.setting}.`;
  return { kind: 'unknown', message };
}

function tooLarge({ limitSetting }: Service): string {
  const remedies = [
    'Shorten it with "Folio: Compress Context"',
    'start a new session with "Folio: New Session"',
  ];
  const last =
    limitSetting && `if this comes early, tell Folio how much fits with the setting ${limitSetting}`;
  const advice = last ? `${remedies.join(', ')}, or, ${last}` : remedies.join(', or ');
  return `The conversation is longer than the model can read. ${advice}.`;
}

function keyTrouble(at: string, key: string | undefined, { keyVariable }: Service): string {
  return key
    ? `${at} rejected the API key. Set a valid one with "Folio: Set API Key".`
    : `${at} wants an API key. Set one with "Folio: Set API Key", or set ${keyVariable}.`;
}

/** Servers have no common code for it; these are their words. A server of one's own may say it with status 500. */
function isTooLarge(status: number, { code, message }: ErrorBody): boolean {
  if (status === 413 || /context_length_exceeded|exceed_context_size|too_many_prompt_tokens/.test(code))
    return true;
  if (status !== 400 && status !== 422 && status < 500) return false;
  return /maximum context length|context (length|size|window).*(exceed|overflow|full|too)|exceeds?.*(context (length|size|window)|n_ctx|max_model_len)|(prompt|input|request|messages?) (is|are) too (long|large)|too many (input )?tokens|larger than the (model's )?context/i.test(
    message,
  );
}

/** `start`: what the server must be started with; absent: the model itself does not know how to call tools. */
interface ToolTrouble {
  readonly words: RegExp;
  readonly server?: string;
  readonly start?: string;
}

/** The words of servers, as they were seen; there is no common code for it. */
const toolTroubles: readonly ToolTrouble[] = [
  { words: /--jinja/i, server: 'llama.cpp', start: '--jinja' },
  {
    words: /enable-auto-tool-choice|tool-call-parser/i,
    server: 'vLLM',
    start: '--enable-auto-tool-choice and --tool-call-parser',
  },
  {
    words:
      /not support (tool|function)|(tools?|(tool|function) calling)\W+(is|are) not (supported|enabled)|support tool use/i,
  },
];

function findToolTrouble({ message }: ErrorBody): ToolTrouble | undefined {
  return toolTroubles.find(({ words }) => words.test(message));
}

function noTools({ server, start }: ToolTrouble, model: string | undefined): string {
  const named = model === undefined ? 'This model' : `The model "${model}"`;
  if (server === undefined)
    return `${named} cannot call tools, which Folio works with. Choose another model.`;
  return `${named} cannot call tools as ${server} was started, and Folio works with them. Start ${server} again with ${start}, or choose another model.`;
}

function isOutOfQuota(status: number, { code, message }: ErrorBody, wait: number | undefined): boolean {
  if (status !== 429) return false;
  return (
    /insufficient_quota|billing/.test(code) ||
    /per day|\bRPD\b|\bTPD\b/i.test(message) ||
    (wait ?? 0) > longestWaitMs
  );
}

function quota(at: string, reason: string): string {
  return `${at} says that there is no quota left (${reason}). Choose another model with "Folio: Select Model", or see to the account.`;
}

/** The server itself read the call, and found that it fits no tool: another answer may do better. */
function badCall(reason: string): string {
  return `The model made a call that the server could not take (${reason}). Retry, or choose another model.`;
}

function badAnswer(reason: string): string {
  return `[Your last answer was not taken, and nothing of it was done: ${reason}. Answer anew. Call only tools that you were given, with arguments as they are described.]`;
}

/** A path that is wrong and a model that is not there have the same status. */
function notFound(
  at: string,
  { message, code, isPage }: ErrorBody,
  { model, service }: FailureContext,
): string {
  if (model !== undefined && !isPage && /model/i.test(`${message} ${code}`)) {
    return `${at} has no model "${model}". Choose another model with "Folio: Select Model".`;
  }
  return `${at} has no ${service.api} at this address. Check the setting ${service.setting}; ${service.addressHint}.`;
}

function overloaded(at: string, status: number, reason: string): string {
  return `${at} is overloaded or out of order (status ${status}: ${reason}). Retry in a while, or choose another model with "Folio: Select Model".`;
}

function networkFailure(
  code: string,
  retryable: boolean,
  cause: unknown,
  { service, host }: FailureContext,
): ModelError {
  const shown = code ? ` (${code})` : '';
  const to = midSentence(service, host);
  const message = retryable
    ? `The connection to ${to} failed${shown}. Check that it runs and that the setting ${service.setting} is right, then retry.`
    : `The connection to ${to} is not trusted${shown}. Check its certificate.`;
  return new ModelError('network', message, { retryable, cause });
}

/** The server's name within a sentence. */
function midSentence({ nameOf }: Service, host: string): string {
  return nameOf(host).replace(/^The /, 'the ');
}

function classifyClientFailure(cause: unknown, { key, service, host }: FailureContext): ModelError {
  if (cause instanceof SyntaxError) {
    const what = 'The answer of the model server broke off or cannot be read. Retry.';
    return new ModelError('invalidStream', what, { retryable: true, cause });
  }
  const reason = oneLine(withoutKeys(messageOf(cause), key), 300);
  const what = `The request to ${midSentence(service, host)} failed (${reason}). Retry, or see the log of Folio.`;
  return new ModelError('unknown', what, { retryable: false, cause });
}

/** The library throws what stands in a stream in the place of a chunk as an error that holds it. */
function bodyOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('error' in error)) return undefined;
  return error.error ?? undefined;
}

/** The server's own words, cut to what fits into a sentence. */
function said({ message, code }: ErrorBody, key: string | undefined): string {
  const text = message.replace(/<[^>]*>/g, ' ');
  return oneLine(withoutKeys(text, key), 300).replace(/[.!]+$/, '') || code || 'no reason given';
}

function withoutKeys(text: string, key: string | undefined): string {
  const plain = key ? text.replaceAll(key, '[key]') : text;
  return plain.replace(/\bsk-[\w*-]{8,}/g, '[key]').replace(/(Bearer )[^\s'"]+/gi, '$1[key]');
}
