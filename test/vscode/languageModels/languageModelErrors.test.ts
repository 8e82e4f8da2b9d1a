import { describe, expect, test } from 'vitest';
import { classifyLanguageModelFailure } from '../../../src/extension/vscode/languageModels/languageModelErrors.ts';
import { CodedError } from '../../support/wireLanguageModels.ts';

const context = { aborted: false, model: 'Great Model', answered: false };

function named(name: string, message = 'x'): Error {
  return Object.assign(new Error(message), { name });
}

const table: readonly (readonly [string, unknown, string, boolean])[] = [
  ['a missing consent', new CodedError('NoPermissions', 'x'), 'forbidden', false],
  ['a block', new CodedError('Blocked', 'x'), 'quota', false],
  ['a model that is gone', new CodedError('NotFound', 'x'), 'notFound', false],
  ['a used up quota by name', named('ChatQuotaExceeded'), 'quota', false],
  ['a limit of requests by name', named('ChatRateLimited'), 'rateLimited', true],
  [
    'the cause behind an unspecified error',
    Object.assign(new CodedError('Unknown', 'x'), { cause: named('ChatQuotaExceeded') }),
    'quota',
    false,
  ],
  [
    'a broken connection behind it',
    new Error('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
    'network',
    true,
  ],
  ['a status of its own', Object.assign(new Error('x'), { statusCode: 503 }), 'overloaded', true],
  ['a status in words', new Error('Request failed with status code 429'), 'rateLimited', true],
  ['a sign-in that ended', new Error('HTTP 401 Unauthorized'), 'forbidden', false],
  ['a number that is no status', new Error('The model wrote 500 words.'), 'unknown', false],
  ['a conversation that is too long', new Error('Message exceeds token limit.'), 'tooLarge', false],
  ['a filter', new Error('Response got filtered.'), 'blocked', false],
  ['nothing that is known', new Error('Oh no'), 'unknown', false],
  ['no error at all', 'text', 'unknown', false],
];

describe('a failure of the models that VS Code offers', () => {
  test.each(table)('%s is told as it is meant', (_what, error, kind, retryable) => {
    const failure = classifyLanguageModelFailure(error, context);
    expect({ kind: failure.kind, retryable: failure.retryable }).toEqual({ kind, retryable });
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
    expect(failure.message).not.toMatch(/please|!|undefined|\[object/i);
  });

  test('an answer that breaks off without a reason is worth another attempt', () => {
    const failure = classifyLanguageModelFailure(new Error('Oh no'), { ...context, answered: true });
    expect(failure).toMatchObject({ kind: 'invalidStream', retryable: true });
  });

  test('consent is asked for by VS Code, and only after a prompt', () => {
    const { message } = classifyLanguageModelFailure(new CodedError('NoPermissions', 'x'), context);
    expect(message).toContain('Send a prompt and agree when VS Code asks');
  });

  test('keys in the words of another extension do not reach the user', () => {
    const key = `sk-${'a1'.repeat(24)}`;
    const { message } = classifyLanguageModelFailure(new Error(`Wrong key ${key}`), context);
    expect(message).not.toContain(key);
  });

  test('an error that is its own cause ends', () => {
    const error = new Error('Oh no');
    error.cause = error;
    expect(classifyLanguageModelFailure(error, context).kind).toBe('unknown');
  });
});
