/*
 * The one place that tells what a failure of a model server, of its client library or of the network means. In order: an
 * abort; what the server said, by its words where they are known and then by HTTP status; the network; a stream that
 * cannot be read; anything else. What differs between services stands in their `Service`.
 */

import type { Message } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { ModelError, type ModelErrorKind } from '../../core/model.ts';
import { addressAdvice, originOf } from './addressAdvice.ts';
import { describeBadAnswer } from './answerCheck.ts';
import { type ErrorBody, parseErrorBody } from './errorBody.ts';
import { refusedKey } from './foreignKey.ts';
import { findMissingModel } from './missingModel.ts';
import { describeNetworkFailure, findNetworkFailure, whatToCheck } from './networkErrors.ts';
import { ReportedError } from './readAnswer.ts';
import { findRefusedParts } from './refusedParts.ts';
import { parseRetryAfter } from './retryDelay.ts';
import type { ErrorResponse, Service } from './service.ts';
import { findToolProblem } from './toolProblems.ts';

/** Facts about a failure that the library's errors leave out. */
export interface FailureContext {
  readonly aborted: boolean;
  readonly service: Service;
  /** Host and port, for sentences. */
  readonly host: string;
  /** As it was set; empty: the service's own. */
  readonly address: string;
  /** Absent when no model was asked. */
  readonly model?: string | undefined;
  /** It is kept out of what the server says. */
  readonly key?: string | undefined;
  /** The request declared tools. */
  readonly withTools?: boolean;
  /** An HTTP answer that was no success. */
  readonly refusal?: ErrorResponse | undefined;
  /** The conversation that was sent, and the body that was made of it; absent when no model was asked. */
  readonly sent?: { readonly messages: readonly Message[]; readonly body: () => string } | undefined;
}

/** A server that wants to be left alone for longer has no quota left, whatever it calls it. */
const maxWaitMs = 300_000;

export function classifyFailure(error: unknown, context: FailureContext): ModelError {
  if (context.aborted)
    return new ModelError('aborted', () => t('Stopped.'), { retryable: false, cause: error });
  if (error instanceof ModelError) return error;
  const { refusal } = context;
  if (refusal) return classifyAnswer(refusal.status, parseErrorBody(refusal.body), context);
  if (error instanceof ReportedError) {
    const body = parseErrorBody(error.reported);
    // Without a status it is the server's own problem: it had taken the request.
    return classifyAnswer(body.status ?? context.service.statusOf?.(body) ?? 500, body, context);
  }
  const network = findNetworkFailure(error);
  if (network) {
    const { service, host, address } = context;
    return describeNetworkFailure(network, error, () => ({
      server: midSentence(service, host),
      check: whatToCheck(network, address, service),
    }));
  }
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
  const classified = () => classify(status, body, wait, context);
  const { kind, forModel, retryable = false } = classified();
  const { sent, service } = context;
  // A quota is not tried again soon, but it tells when it is renewed.
  const renewed = kind === 'quota' ? (service.renewedAfter?.(body, wait) ?? wait) : undefined;
  const retryAfterMs = (retryable ? wait : renewed) || undefined;
  const refused = sent && findRefusedParts(body, kind, status, sent);
  const details = { retryable, status, forModel, retryAfterMs, refused };
  return new ModelError(kind, () => classified().message, details);
}

function waitOf(refusal: ErrorResponse | undefined): number | undefined {
  const milliseconds = Number(refusal?.retryAfterMs ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  return refusal?.retryAfter === undefined ? undefined : parseRetryAfter(refusal.retryAfter, Date.now());
}

function classify(
  status: number,
  body: ErrorBody,
  wait: number | undefined,
  context: FailureContext,
): Verdict {
  const { service, key, model } = context;
  const at = service.nameOf(context.host);
  const reason = said(body, key);
  if (status === 401 || rejectsKey(status, body))
    return { kind: 'auth', message: service.rejected?.() ?? keyProblem(at, key, service) };
  if (isTooLarge(status, body)) return { kind: 'tooLarge', message: tooLarge(service) };
  if (/tool_use_failed/.test(body.code))
    return {
      kind: 'invalidStream',
      message: badCall(reason),
      retryable: true,
      forModel: describeBadAnswer(reason),
    };
  const toolProblem = context.withTools ? findToolProblem(body.message, model) : undefined;
  if (toolProblem) return { kind: 'noTools', message: toolProblem };
  if (
    status === 402 ||
    service.isSpent?.(status, body, wait, context.refusal === undefined) ||
    isOutOfQuota(status, body, wait)
  )
    return { kind: 'quota', message: quota(at, reason) };
  const words = body.isPage ? '' : `${body.message} ${body.code}`;
  const missing = findMissingModel(at, status, words, model);
  if (missing) return { kind: 'notFound', message: missing };
  if (status === 403 || /FAILED_PRECONDITION/.test(body.code))
    return {
      kind: 'forbidden',
      message: t(
        '{0} does not allow this ({1}). {2}.',
        at,
        reason,
        service.rights?.() ?? t('Check what the API key may use'),
      ),
    };
  if (isWrongPath(status, words)) return { kind: 'notFound', message: wrongPath(at, context) };
  if (status === 429) {
    return {
      kind: 'rateLimited',
      message: t('{0} is getting too many requests. Retry later.', at),
      retryable: true,
    };
  }
  if (status === 408 || status === 499) {
    return {
      kind: 'network',
      message: t('{0} stopped the request before it was answered. Retry.', at),
      retryable: true,
    };
  }
  if (status >= 500) return { kind: 'overloaded', message: overloaded(at, status, reason), retryable: true };
  if (status === 400 || status === 422) {
    const message = t(
      '{0} cannot process the request ({1}). Choose another model with "Folio: Select Model", or start a new session with "Folio: New Session".',
      at,
      reason,
    );
    return { kind: 'badRequest', message };
  }
  const message = t(
    '{0} answered with status {1} ({2}). Retry, or check {3}.',
    at,
    status,
    reason,
    originOf(service, context.address),
  );
  return { kind: 'unknown', message };
}

function tooLarge({ limitSetting }: Service): string {
  return limitSetting
    ? t(
        'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session". If the conversation is short, correct the model\'s limit with the setting {0}.',
        limitSetting,
      )
    : t(
        'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".',
      );
}

function keyProblem(at: string, key: string | undefined, { keyVariable, keyForm }: Service): string {
  return key
    ? refusedKey(at, key, keyForm)
    : t('{0} requires an API key. Set one with "Folio: Set API Key", or set {1}.', at, keyVariable);
}

/** Some say it with the status of a request that is wrong in itself. */
function rejectsKey(status: number, { code, message }: ErrorBody): boolean {
  return (
    (status === 400 || status === 403) &&
    (/\bAPI_KEY_(INVALID|EXPIRED)\b/.test(code) ||
      /(incorrect|invalid) api key|api key (is )?(not valid|invalid|not found|expired)|security token .*(invalid|expired)|request signature|reported as leaked|unregistered callers/i.test(
        message,
      ))
  );
}

/** LM Studio says it with status 200, in the place of an answer. */
function isWrongPath(status: number, words: string): boolean {
  return status === 404 || status === 405 || /^unexpected endpoint/i.test(words);
}

function wrongPath(at: string, { service, address }: FailureContext): string {
  return t('{0} has no {1} at this address. {2}.', at, service.api(), addressAdvice(service, address));
}

/** Servers have no common code for it; these are their words. A server of one's own may say it with status 500. */
function isTooLarge(status: number, { code, message }: ErrorBody): boolean {
  if (status === 413 || /context_length_exceeded|exceed_context_size|too_many_prompt_tokens/.test(code))
    return true;
  if (status !== 400 && status !== 422 && status < 500) return false;
  return /maximum context length|context (length|size|window).*(exceed|overflow|full|too)|exceeds?.*(context (length|size|window)|n_ctx|max_model_len)|(prompt|input|request|messages?) (is|are) too (long|large)|too many (input )?tokens|larger than the (model's )?context|token count.*exceeds|exceeds the maximum number of tokens|payload size exceeds/i.test(
    message,
  );
}

function isOutOfQuota(status: number, { code, message }: ErrorBody, wait: number | undefined): boolean {
  if (status !== 429) return false;
  return (
    /insufficient_quota|billing|QUOTA_EXHAUSTED|\bINSUFFICIENT_|PerDay|Daily/.test(code) ||
    /per day|\bRPD\b|\bTPD\b/i.test(message) ||
    grantsNothing(message) ||
    (wait ?? 0) > maxWaitMs
  );
}

/** A limit of zero stays zero; one of half a request a minute is waited for. */
function grantsNothing(message: string): boolean {
  const limits = [...message.matchAll(/\blimit: (\d+(?:\.\d+)?)/g)].map(([, limit]) => Number(limit));
  return limits.includes(0);
}

function quota(at: string, reason: string): string {
  return t(
    '{0} reports that your quota is used up ({1}). Choose another model with "Folio: Select Model", or check your account.',
    at,
    reason,
  );
}

/** The server itself read the call, and found that it fits no tool: another answer may do better. */
function badCall(reason: string): string {
  return t(
    'The model made a call that the server could not process ({0}). Retry, or choose another model.',
    reason,
  );
}

function overloaded(at: string, status: number, reason: string): string {
  return t(
    '{0} is overloaded or down (status {1}). Wait, or choose another model.',
    at,
    `${status}: ${reason}`,
  );
}

/** The server's name within a sentence. */
function midSentence({ nameOf }: Service, host: string): string {
  return nameOf(host).replace(/^The /, 'the ');
}

function classifyClientFailure(cause: unknown, { key, service, host }: FailureContext): ModelError {
  if (cause instanceof SyntaxError) {
    const say = () => t('The answer of the model server ended early or cannot be read. Retry.');
    return new ModelError('invalidStream', say, { retryable: true, cause });
  }
  const reason = oneLine(withoutKeys(messageOf(cause), key), 300);
  const say = () =>
    t('The request to {0} failed ({1}). Retry, or see the log of Folio.', midSentence(service, host), reason);
  return new ModelError('unknown', say, { retryable: false, cause });
}

/** The server's own words, cut to what fits into a sentence, without its advice, as the sentence has its own. */
function said({ message, code }: ErrorBody, key: string | undefined): string {
  const text = message.replace(/<[^>]*>/g, ' ').split(/(?<=[.!?])\s+/);
  const facts = text.filter(sentence => !/\bplease (retry|try again|wait)\b/i.test(sentence)).join(' ');
  return oneLine(withoutKeys(facts, key), 300).replace(/[.!]+$/, '') || code || t('no reason given');
}

function withoutKeys(text: string, key: string | undefined): string {
  const plain = key ? text.replaceAll(key, '[key]') : text;
  return plain
    .replace(/\bsk-[\w*-]{8,}|AIza[\w-]{10,}|\b(AQ|ya29)\.[\w.-]{10,}/g, '[key]')
    .replace(/(Bearer |api_key:)[^\s'"]+/gi, '$1[key]');
}
