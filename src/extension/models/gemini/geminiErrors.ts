/*
 * The one place that tells what a failure of a service of Gemini's, of the client library or of the network means. In
 * order: an abort; what the service said, by HTTP status and then by Google's error details; the network; a stream that
 * cannot be read; anything else.
 */

import type { Message } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { ModelError, type ModelErrorKind, type RefusedPart } from '../../core/model.ts';
import { addressAdvice } from '../wire/addressAdvice.ts';
import { findMissingModel } from '../wire/missingModel.ts';
import { describeNetworkFailure, findNetworkFailure, whatToCheck } from '../wire/networkErrors.ts';
import { findRefusedParts } from '../wire/refusedParts.ts';
import { parseRetryAfter } from '../wire/retryDelay.ts';
import { findToolProblem } from '../wire/toolProblems.ts';
import { type ErrorDetails, parseErrorDetails } from './errorDetails.ts';
import type { ServiceWords } from './serviceWords.ts';

export interface FailureContext {
  readonly service: ServiceWords;
  /** As it was set; empty: the service's own. */
  readonly address: string;
  readonly aborted: boolean;
  /** Absent when no model was asked. */
  readonly model?: string | undefined;
  /** The key or token that was used; it is kept out of what the service says. */
  readonly secret?: string | undefined;
  /** HTTP header. */
  readonly retryAfter?: string | undefined;
  /** The status of the HTTP answer; the error itself may not know it. */
  readonly status?: number | undefined;
  /** The conversation that was sent, and the body that was made of it; absent when no model was asked. */
  readonly sent?: { readonly messages: readonly Message[]; readonly body: () => string } | undefined;
}

/** A server that wants to be left alone for longer has no quota left, whatever it calls it. */
const maxWaitMs = 300_000;

export function classifyFailure(error: unknown, context: FailureContext): ModelError {
  if (context.aborted)
    return new ModelError('aborted', () => t('Stopped.'), { retryable: false, cause: error });
  if (error instanceof ModelError) return error;
  const status = statusOf(error) ?? context.status;
  if (status !== undefined) {
    const text = messageOf(error);
    return classifyAnswer(status, context.secret ? text.replaceAll(context.secret, '[key]') : text, context);
  }
  const network = findNetworkFailure(error);
  if (network)
    return describeNetworkFailure(network, error, () => ({
      server: context.service.name,
      check: whatToCheck(network, context.address, context.service),
    }));
  return classifyClientFailure(context.service, error);
}

/** Signatures of another place, or from before a change of the service, cannot be opened any more. */
export function refusesSignatures(error: unknown): boolean {
  return (
    statusOf(error) === 400 &&
    /(corrupted|invalid) thought.?signature|thought.?signature is (not valid|invalid|corrupted)/i.test(
      messageOf(error),
    )
  );
}

export function withoutSignatures({ name }: ServiceWords): ModelError {
  const say = () =>
    t(
      '{0} cannot read the sealed thoughts of earlier answers, as after a change of the key or the provider. Retry: they are left out from now on.',
      name,
    );
  return new ModelError('invalidStream', say, { retryable: true });
}

/** The meaning of an error answer. */
interface Verdict {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryable?: boolean;
  /** When the quota is renewed, in place of what the service requests. */
  readonly retryAfterMs?: number;
}

/** The cause is not kept: services repeat the API key in some errors, and causes are logged. */
function classifyAnswer(status: number, text: string, context: FailureContext): ModelError {
  const details = parseErrorDetails(text);
  const wait =
    details.retryAfterMs ??
    (context.retryAfter === undefined ? undefined : parseRetryAfter(context.retryAfter, Date.now()));
  const classified = () => classify(status, details, wait, context);
  const verdict = classified();
  const { kind, retryable = false } = verdict;
  const reported = verdict.retryAfterMs ?? wait;
  // A quota is not tried again soon, but it tells when it is renewed.
  const retryAfterMs = retryable || kind === 'quota' ? reported || undefined : undefined;
  const refused = findRefused(kind, status, details, context);
  return new ModelError(kind, () => classified().message, { retryable, status, retryAfterMs, refused });
}

function findRefused(
  kind: ModelErrorKind,
  status: number,
  { message }: ErrorDetails,
  { sent }: FailureContext,
): RefusedPart | undefined {
  if (!sent || status >= 500) return undefined;
  const { messages, body } = sent;
  return findRefusedParts({ message, place: '' }, kind, status, { messages, body: body() });
}

function classify(
  status: number,
  details: ErrorDetails,
  wait: number | undefined,
  context: FailureContext,
): Verdict {
  const { service, model } = context;
  const key = findKeyProblem(context, status, details);
  if (key) return { kind: 'auth', message: key };
  const toolProblem = status === 400 ? findToolProblem(details.message, model) : undefined;
  if (toolProblem) return { kind: 'noTools', message: toolProblem };
  const missing = status === 404 ? undefined : findMissingModel(service.name, status, details.message, model);
  if (missing) return { kind: 'notFound', message: missing };
  if (status === 400) return badRequest(service, details);
  if (status === 403) return { kind: 'forbidden', message: forbidden(service, details) };
  if (status === 404 || status === 405) return { kind: 'notFound', message: notFound(details, context) };
  if (status === 413) return { kind: 'tooLarge', message: tooLarge() };
  if (status === 429) return tooMany(service, details, wait);
  if (status === 408 || status === 499)
    return { kind: 'network', message: cancelled(service), retryable: true };
  if (status >= 500) return { kind: 'overloaded', message: overloaded(service, status), retryable: true };
  return { kind: 'unknown', message: unexpected(service, status, details) };
}

function findKeyProblem(
  { service: { rejected: wrong, missing: none }, secret }: FailureContext,
  status: number,
  { reasons, message }: ErrorDetails,
): string | undefined {
  const rejected =
    reasons.some(reason => /^API_KEY_(INVALID|EXPIRED)$/.test(reason)) ||
    /api key (not valid|expired|not found)|reported as leaked/i.test(message);
  if (status === 401 || rejected) return wrong(secret);
  return /unregistered callers/i.test(message) ? none : undefined;
}

function tooLarge(): string {
  return t(
    'The conversation is longer than the model can read. Start a new session with "Folio: New Session", or shorten it with "Folio: Compress Context".',
  );
}

function cancelled({ name }: ServiceWords): string {
  return t('{0} gave the request up before it was answered. Retry.', name);
}

function overloaded({ name }: ServiceWords, status: number): string {
  return t('{0} is overloaded or down (status {1}). Wait, or choose another model.', name, status);
}

function unexpected({ name, places }: ServiceWords, status: number, details: ErrorDetails): string {
  return t('{0} answered with status {1} ({2}). Retry, or check {3}.', name, status, said(details), places);
}

function forbidden({ name, permissions }: ServiceWords, details: ErrorDetails): string {
  return t('{0} does not allow this ({1}). Check {2}.', name, said(details), permissions);
}

/** A path that is wrong and a model that is not there have the same status. */
function notFound({ message }: ErrorDetails, { service, address, model }: FailureContext): string {
  const { name, holder, places } = service;
  const isPage = /^\s*<|not found on this server/i.test(message);
  if (model && !isPage && /model/i.test(message)) {
    return t(
      '{0} has no model "{1}" for {2}. Choose another model with "Folio: Select Model".',
      name,
      model,
      holder,
    );
  }
  const advice = address === '' ? t('Check {0}', places) : addressAdvice(service, address);
  return t('{0} does not answer at this address. {1}.', name, advice);
}

function badRequest({ name, holder, billing }: ServiceWords, details: ErrorDetails): Verdict {
  const { code, message } = details;
  if (/token count.*exceeds|exceeds the maximum number of tokens|payload size exceeds/i.test(message)) {
    return { kind: 'tooLarge', message: tooLarge() };
  }
  const reason = said(details);
  if (code === 'FAILED_PRECONDITION') {
    return {
      kind: 'forbidden',
      message: t('{0} is not available to {1} ({2}). Check {3}.', name, holder, reason, billing),
    };
  }
  const what = t(
    '{0} cannot work with the request ({1}). Start a new session with "Folio: New Session", or choose another model.',
    name,
    reason,
  );
  return { kind: 'badRequest', message: what };
}

function tooMany({ name, holder }: ServiceWords, details: ErrorDetails, wait: number | undefined): Verdict {
  const daily = details.quotas.some(quota => /PerDay|Daily/i.test(quota));
  const exhausted =
    daily ||
    grantsNothing(details.message) ||
    details.reasons.some(reason => /^(QUOTA_EXHAUSTED|INSUFFICIENT_)/.test(reason)) ||
    (wait ?? 0) > maxWaitMs;
  if (!exhausted) {
    const message = t('{0} gets too many requests from {1}. Retry in a while.', name, holder);
    return { kind: 'rateLimited', message, retryable: true };
  }
  const what = daily
    ? t('The quota of {0} for the day is used up.', holder)
    : t('{0} has no quota left.', `${holder[0]!.toUpperCase()}${holder.slice(1)}`);
  const remedy = t('Choose another model with "Folio: Select Model", or wait until the quota is renewed.');
  const retryAfterMs = daily ? untilDailyRenewal(wait, Date.now()) : undefined;
  return { kind: 'quota', message: `${what} ${remedy}`, retryAfterMs };
}

/** A limit of zero stays zero; one of half a request a minute is waited for. */
function grantsNothing(message: string): boolean {
  const limits = [...message.matchAll(/\blimit: (\d+(?:\.\d+)?)/g)].map(([, limit]) => Number(limit));
  return limits.includes(0);
}

function classifyClientFailure(service: ServiceWords, cause: unknown): ModelError {
  const { name } = service;
  const message = messageOf(cause);
  if (cause instanceof SyntaxError) {
    const say = () => t('The answer of {0} broke off or cannot be read. Retry.', name);
    return new ModelError('invalidStream', say, { retryable: true, cause });
  }
  if (/invalid url|failed to parse url/i.test(message)) {
    const say = () => t('The address of {0} is not valid. Correct {1}.', name, service.places);
    return new ModelError('badRequest', say, { retryable: false, cause });
  }
  if (/ByteString|invalid header value/i.test(message)) {
    // Without the cause, which quotes from the key.
    return new ModelError('auth', () => service.broken, { retryable: false });
  }
  const say = () =>
    t(
      'The request to {0} failed ({1}). Retry, or see the log of Folio.',
      name,
      oneLine(withoutKeys(message)),
    );
  return new ModelError('unknown', say, { retryable: false, cause });
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/** The service's own words, cut to what fits into a sentence. */
function said({ message, code }: ErrorDetails): string {
  return oneLine(withoutKeys(message), 300).replace(/\.$/, '') || code || t('no reason given');
}

function withoutKeys(text: string): string {
  return text
    .replace(/AIza[\w-]{10,}|(AQ|ya29)\.[\w.-]{10,}/g, '[key]')
    .replace(/(api_key:)[^\s'"]+/g, '$1[key]');
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Beside a daily quota, shorter delays speak of the window of a minute, which is not what ran out. */
const maxPauseMs = 5 * minute;

/**
 * Milliseconds until a daily quota is renewed: at midnight in California, as Google documents it, unless the service
 * asks for a delay that can only be about the day.
 * @param wait the service's own request
 * @param now milliseconds since the Unix epoch
 */
export function untilDailyRenewal(wait: number | undefined, now: number): number {
  return wait !== undefined && wait > maxPauseMs ? wait : untilPacificMidnight(now);
}

/** On the two days on which clocks are changed it may be an hour off, which costs one attempt. */
function untilPacificMidnight(now: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = format.formatToParts(now);
  const read = (type: string) => Number(parts.find(part => part.type === type)?.value ?? 0);
  const passed = (read('hour') * 60 + read('minute')) * minute + read('second') * 1000 + (now % 1000);
  return day - passed;
}
