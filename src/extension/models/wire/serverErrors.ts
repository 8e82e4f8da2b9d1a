/*
 * The only classifier for failures of a model server, its client library or the network. Checks in order: abort, the
 * server's message, HTTP status, network, unreadable stream, anything else. Differences between services are in their
 * `ModelService`.
 */

import type { Message } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { detectKeyFormat, type KeyFormat } from '../../base/keyForms.ts';
import { oneLine } from '../../base/text.ts';
import { ModelError, type ModelErrorKind } from '../../core/model.ts';
import { addressAdvice, describeAddressSource } from './addressAdvice.ts';
import { describeBadAnswer } from './answerCheck.ts';
import { type ErrorBody, parseErrorBody } from './errorBody.ts';
import { findNetworkFailure, networkFailureError, whatToCheck } from './networkErrors.ts';
import { ServerReportedError } from './readAnswerEvents.ts';
import { findRefusedPart } from './refusedPart.ts';
import { parseRetryAfter } from './retryDelay.ts';
import type { ErrorResponse, ModelService } from './service.ts';
import { describeToolProblem } from './toolProblems.ts';

/** Facts about a failure that the library's errors omit. */
export interface FailureContext {
  readonly aborted: boolean;
  readonly service: ModelService;
  /** Host and port, for messages. */
  readonly host: string;
  /** As configured. Empty for the service's own address. */
  readonly address: string;
  /** Omitted if no model was queried. */
  readonly model?: string | undefined;
  /** The key, to be masked in the server's message. */
  readonly key?: string | undefined;
  /** The request declared tools. */
  readonly withTools?: boolean;
  readonly refusal?: ErrorResponse | undefined;
  /** The conversation and the body made from it. Omitted if no model was queried. */
  readonly sent?: { readonly messages: readonly Message[]; readonly body: () => string } | undefined;
}

/** A server that asks for a longer delay has an exhausted quota, whatever it calls it. */
const maxWaitMs = 300_000;

export function toModelError(error: unknown, context: FailureContext): ModelError {
  if (context.aborted)
    return new ModelError('aborted', () => t('Stopped.'), { retryable: false, cause: error });
  if (error instanceof ModelError) return error;
  const { refusal } = context;
  if (refusal) return classifyAnswer(refusal.status, parseErrorBody(refusal.body), context);
  if (error instanceof ServerReportedError) {
    const body = parseErrorBody(error.reported);
    // Without a status it is the server's own error, since it accepted the request.
    return classifyAnswer(body.status ?? context.service.statusOf?.(body) ?? 500, body, context);
  }
  const network = findNetworkFailure(error);
  if (network) {
    const { service, host, address } = context;
    return networkFailureError(network, error, () => ({
      server: midSentence(service, host),
      check: whatToCheck(network, address, service),
    }));
  }
  return classifyClientFailure(error, context);
}

/** The classification of an error response. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryable?: boolean;
  /** As in `ModelError`. */
  readonly forModel?: string;
}

/** Omits the cause: some servers repeat the API key in their errors, and causes are logged. */
function classifyAnswer(status: number, body: ErrorBody, context: FailureContext): ModelError {
  const wait = waitOf(context.refusal) ?? body.retryAfterMs;
  const classified = () => classify(status, body, wait, context);
  const { kind, forModel, retryable = false } = classified();
  const { sent, service } = context;
  // An exhausted quota is not retried soon, but the error says when it renews.
  const renewed = kind === 'quota' ? (service.renewedAfter?.(body, wait) ?? wait) : undefined;
  const retryAfterMs = (retryable ? wait : renewed) || undefined;
  const refused = sent && findRefusedPart(body, kind, status, sent);
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
  const toolProblem = context.withTools ? describeToolProblem(body.message, model) : undefined;
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
    describeAddressSource(service, context.address),
  );
  return { kind: 'unknown', message };
}

function tooLarge({ limitSetting }: ModelService): string {
  return limitSetting
    ? t(
        'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session"; if the conversation is short, correct the model\'s limit with the setting {0}.',
        limitSetting,
      )
    : t(
        'The conversation is longer than the model can read. Shorten it with "Folio: Compress Context", or start a new session with "Folio: New Session".',
      );
}

function keyProblem(at: string, key: string | undefined, { keyVariable, keyForm }: ModelService): string {
  return key
    ? describeRefusedKey(at, key, keyForm)
    : t('{0} requires an API key. Set one with "Folio: Set API Key", or set {1}.', at, keyVariable);
}

/** Some servers report a bad key with the status of a malformed request. */
function rejectsKey(status: number, { code, message }: ErrorBody): boolean {
  return (
    (status === 400 || status === 403) &&
    (/\bAPI_KEY_(INVALID|EXPIRED)\b/.test(code) ||
      /(incorrect|invalid) api key|api key (is )?(not valid|invalid|not found|expired)|security token .*(invalid|expired)|request signature|reported as leaked|unregistered callers/i.test(
        message,
      ))
  );
}

/** LM Studio reports it with status 200 in place of an answer. */
function isWrongPath(status: number, words: string): boolean {
  return status === 404 || status === 405 || /^unexpected endpoint/i.test(words);
}

function wrongPath(at: string, { service, address }: FailureContext): string {
  return t('{0} has no {1} at this address. {2}.', at, service.api(), addressAdvice(service, address));
}

/** Servers have no common code for it, so their messages are matched. Self-hosted servers may use status 500. */
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

/** A limit of zero never renews. Half a request per minute is worth waiting for. */
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

/** The server parsed the call and found no matching tool. Another answer may be better. */
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
function midSentence({ nameOf }: ModelService, host: string): string {
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

/** The server's message, shortened to fit into a sentence, without its advice, because ours follows. */
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

/** Sentence for a rejected key. @param at start of the sentence @param form of the keys that the service accepts */
function describeRefusedKey(at: string, key: string | undefined, form: KeyFormat): string {
  const owner = detectKeyFormat(key ?? '');
  if (owner === undefined || owner === form)
    return t('{0} rejected the API key. Set a valid one with "Folio: Set API Key".', at);
  return t(
    '{0} rejected the API key, which {1}. Set the right one with "Folio: Set API Key", or choose its provider with "Folio: Connect a Model".',
    at,
    likeness(owner),
  );
}

function likeness(owner: KeyFormat): string {
  switch (owner) {
    case 'gemini':
      return t('looks like one for Gemini (AIza…)');
    case 'anthropic':
      return t('looks like one for Anthropic (sk-ant-…)');
    case 'openai':
      return t('looks like one for OpenAI or a server like it (sk-…)');
    case 'bedrock':
      return t('looks like one for Amazon Bedrock (ABSK…)');
  }
}

/* Detects from an error message that a model does not exist. Servers use four different statuses for it. */

/** Seen in practice. Messages about what a model lacks or refuses must not match. */
const words =
  /\bmodel_not_found\b|DeploymentNotFound|\bmodel:? [^.]{0,200}?(does not exist|(is |was )?not found)|model not (exist|found)|(not a valid|invalid|unknown|no such) model\b(?! (output|response|input))|access to (the )?model|model identifier is invalid/i;

/** Returns a sentence about it, or `undefined` if the error is about something else. */
function findMissingModel(
  at: string,
  status: number,
  said: string,
  model: string | undefined,
): string | undefined {
  if (model === undefined || ![400, 403, 404, 422].includes(status)) return undefined;
  if (/only supported in v1\/responses/i.test(said))
    return t(
      'The model "{0}" is offered only through OpenAI\'s Responses. Choose "OpenAI" with "Folio: Connect a Model", or choose another model.',
      model,
    );
  if (/on-demand throughput/i.test(said))
    return t(
      '{0} needs a region for "{1}". Choose an id with a region, such as one that begins with "global." or "eu.", with "Folio: Select Model".',
      at,
      model,
    );
  if (!words.test(said) && !(status === 404 && /model/i.test(said))) return undefined;
  return status === 403
    ? t(
        '{0} does not let this API key use the model "{1}". Choose another model with "Folio: Select Model".',
        at,
        model,
      )
    : t('{0} has no model "{1}". Choose another model with "Folio: Select Model".', at, model);
}
