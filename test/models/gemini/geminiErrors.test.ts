import { describe, expect, test } from 'vitest';
import type { ModelError } from '../../../src/extension/core/model.ts';
import { geminiService } from '../../../src/extension/models/gemini/geminiProvider.ts';
import { type FailureContext, toModelError } from '../../../src/extension/models/wire/serverErrors.ts';
import type { ErrorResponse } from '../../../src/extension/models/wire/service.ts';
import { errorInfo, quotaFailure, retryInfo } from '../../support/geminiAnswers.ts';

class Answered extends Error {
  readonly refusal: ErrorResponse;

  constructor(refusal: ErrorResponse) {
    super('refused');
    this.refusal = refusal;
  }
}

function answered(status: number, message: string, details: readonly object[] = [], code = ''): Answered {
  return new Answered({
    status,
    body: JSON.stringify({ error: { code: status, message, status: code, details } }),
  });
}

function caused(...codes: readonly string[]): Error {
  const inner = codes.reduceRight<Error | undefined>(
    (cause, code) => Object.assign(new Error(code, { cause }), { code }),
    undefined,
  );
  return new TypeError('fetch failed', { cause: inner });
}

function classify(error: unknown, context: Partial<FailureContext> = {}): ModelError {
  return toModelError(error, {
    service: geminiService,
    host: '',
    address: '',
    aborted: false,
    model: 'gemini-x',
    refusal: error instanceof Answered ? error.refusal : undefined,
    ...context,
  });
}

const table: readonly (readonly [string, unknown, string, boolean, number?])[] = [
  ['status 400', answered(400, 'Bad field.'), 'badRequest', false],
  [
    'too many tokens',
    answered(400, 'The input token count (2) exceeds the maximum number of tokens allowed (1).'),
    'tooLarge',
    false,
  ],
  [
    'an expired key',
    answered(400, 'API key expired. Renew the API key.', [errorInfo('API_KEY_INVALID')]),
    'auth',
    false,
  ],
  ['a leaked key', answered(403, 'Your API key was reported as leaked.'), 'auth', false],
  [
    'an unsupported region',
    answered(400, 'User location is not supported.', [], 'FAILED_PRECONDITION'),
    'forbidden',
    false,
  ],
  ['status 401', answered(401, 'No.'), 'auth', false],
  ['status 403', answered(403, 'No.'), 'forbidden', false],
  ['status 404', answered(404, 'No.'), 'notFound', false],
  ['status 408', answered(408, 'Slow.'), 'network', true],
  ['status 413', answered(413, 'Big.'), 'tooLarge', false],
  ['status 418', answered(418, 'Teapot.'), 'unknown', false],
  ['status 429', answered(429, 'Slow down.'), 'rateLimited', true],
  ['status 429 with a delay', answered(429, 'Slow down.', [retryInfo(2.25)]), 'rateLimited', true, 2250],
  [
    'a quota per minute',
    answered(429, 'Quota.', [quotaFailure('RequestsPerMinute'), retryInfo(30)]),
    'rateLimited',
    true,
    30_000,
  ],
  ['a quota of nothing', answered(429, 'Quota exceeded for metric x, limit: 0, model: y'), 'quota', false],
  ['a quota of nothing, as a decimal', answered(429, 'Quota exceeded, limit: 0.0, model: y'), 'quota', false],
  [
    'a quota of less than one',
    answered(429, 'Quota exceeded for metric x, limit: 0.5, model: y. Please retry in 2s.'),
    'rateLimited',
    true,
    2000,
  ],
  ['a very long delay', answered(429, 'Please retry in 3600s.'), 'quota', false, 3_600_000],
  ['an exhausted quota', answered(429, 'Quota.', [errorInfo('QUOTA_EXHAUSTED')]), 'quota', false],
  ['a delay in the message', answered(503, 'Busy. Please retry in 250ms.'), 'overloaded', true, 250],
  ['status 499', answered(499, 'Cancelled.'), 'network', true],
  ['status 500', answered(500, 'Oh.'), 'overloaded', true],
  ['status 504', answered(504, 'Oh.'), 'overloaded', true],
  ...[
    'ECONNRESET',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPROTO',
    'UND_ERR_SOCKET',
  ].map(code => [code, caused(code), 'network', true] as const),
  ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'].map(
    code => [code, caused('OTHER', code), 'network', true] as const,
  ),
  ['a code deep in the chain', caused('A', 'B', 'C', 'ECONNRESET'), 'network', true],
  [
    'one address of several',
    new TypeError('fetch failed', { cause: new AggregateError([caused('ENETUNREACH')]) }),
    'network',
    true,
  ],
  ['a body that breaks off', new TypeError('terminated'), 'network', true],
  ['a certificate of a proxy', caused('SELF_SIGNED_CERT_IN_CHAIN'), 'network', false],
  ['a torn stream', new SyntaxError('The answer ends within a chunk.'), 'invalidStream', true],
  ['a chunk that is not JSON', new SyntaxError('Unexpected token'), 'invalidStream', true],
  ['anything else', new Error('Odd.'), 'unknown', false],
  ['what is not an error', 'odd', 'unknown', false],
];

describe('a failure of the service or the network', () => {
  for (const [what, error, kind, retryable, retryAfterMs] of table) {
    test(`${what} is ${kind}`, () => {
      expect(classify(error)).toMatchObject({ kind, retryable, retryAfterMs });
    });
  }
});

test('a host name of the service that cannot be resolved is a matter of the internet connection', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN'])
    expect(classify(caused(code)).message).toBe(
      `The connection to Gemini failed (${code}). Check your internet connection, then retry.`,
    );
});

test('a quota per day is quota until the day is over, whatever the service says of the next minute', () => {
  const error = classify(answered(429, 'Quota.', [quotaFailure('RequestsPerDay'), retryInfo(30)]));
  expect(error).toMatchObject({ kind: 'quota', retryable: false });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(error.retryAfterMs).not.toBe(30_000);
  expect(error.retryAfterMs).toBeLessThanOrEqual(24 * 3_600_000);
});

test('after an abort every failure is the abort', () => {
  expect(classify(answered(500, 'Oh.'), { aborted: true })).toMatchObject({
    kind: 'aborted',
    retryable: false,
  });
});

test('an error within an error is read', () => {
  const inner = JSON.stringify({
    error: { code: 429, message: 'Please retry in 3s.', status: 'RESOURCE_EXHAUSTED' },
  });
  expect(classify(answered(429, inner))).toMatchObject({ kind: 'rateLimited', retryAfterMs: 3000 });
});

test('a chain of causes that bites its tail ends', () => {
  const error = new Error('Round');
  error.cause = error;
  expect(classify(error).kind).toBe('unknown');
});

test('a key that the service repeats is in no sentence and no cause', () => {
  const key = `AIza${'x'.repeat(35)}`;
  for (const message of [`Consumer 'api_key:${key}' has been suspended.`, `Key ${key} is bad.`]) {
    const error = classify(answered(403, message));
    expect(`${error.message} ${error.cause}`).not.toContain(key);
    expect(error.message).toContain('[key]');
  }
});

test('every sentence is one for a user: it ends, and neither pleads nor shouts', () => {
  for (const [, error] of table) {
    const { message } = classify(error);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message).not.toMatch(/please retry|!/i);
  }
});

test('a date in the header is a wait from now', () => {
  const retryAfter = new Date(Date.now() + 60_000).toUTCString();
  const { refusal } = answered(503, 'Busy.');
  const { retryAfterMs = 0 } = classify(new Error('refused'), { refusal: { ...refusal, retryAfter } });
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});
