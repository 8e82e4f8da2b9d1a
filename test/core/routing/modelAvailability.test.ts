import { beforeEach, describe, expect, test } from 'vitest';
import { ModelError, type ModelErrorKind } from '../../../src/extension/core/model.ts';
import { failureKind } from '../../../src/extension/core/routing/failure.ts';
import { ModelAvailability } from '../../../src/extension/core/routing/modelAvailability.ts';

let now: number;
let models: ModelAvailability;

beforeEach(() => {
  now = 1_000_000;
  models = new ModelAvailability({ now: () => now });
});

const quota = (retryAfterMs?: number) =>
  new ModelError('quota', () => 'No quota.', { retryable: false, ...(retryAfterMs && { retryAfterMs }) });
const busy = new ModelError('overloaded', () => 'Busy.', { retryable: true });

describe('a model', () => {
  test('is healthy until it fails', () => {
    expect(models.healthOf('a')).toEqual({ status: 'healthy' });
  });

  test('of another provider is not out because one of the same name is', () => {
    let place = 'gemini';
    models = new ModelAvailability({ now: () => now }, () => place);
    models.markOut('a', 'terminal', quota(86_400_000));
    models.markShaky('b');
    place = 'vertex';
    expect(models.isAvailable('a')).toBe(true);
    expect(models.healthOf('b')).toEqual({ status: 'healthy' });
    models.markHealthy('a');
    place = 'gemini';
    expect(models.isAvailable('a')).toBe(false);
    expect(models.healthOf('b')).toEqual({ status: 'shaky' });
  });

  for (const [what, error, ms] of [
    ['a quota with a time is out until then', quota(7_200_000), 7_200_000],
    ['a quota without one is out for an hour', quota(), 3_600_000],
    ['one without capacity is out for half a minute', busy, 30_000],
    [
      'one that is not there is out for an hour',
      new ModelError('notFound', () => 'No.', { retryable: false }),
      3_600_000,
    ],
    [
      'one that failed oddly is out for half a minute',
      new ModelError('unknown', () => 'Odd.', { retryable: false }),
      30_000,
    ],
  ] as const) {
    test(what, () => {
      models.markOut('a', 'terminal', error);
      now += ms - 1;
      expect(models.healthOf('a')).toMatchObject({ status: 'out', kind: 'terminal', error });
      expect(models.isAvailable('b')).toBe(true);
      now += 1;
      expect(models.healthOf('a')).toEqual({ status: 'healthy' });
    });
  }

  test('that is shaky stays so until it answers', () => {
    models.markShaky('a');
    now += 1e9;
    expect(models.healthOf('a').status).toBe('shaky');
    expect(models.isAvailable('a')).toBe(true);
    models.markHealthy('a');
    expect(models.healthOf('a').status).toBe('healthy');
  });

  test('that is out does not become better by failing in passing', () => {
    models.markOut('a', 'terminal', quota());
    models.markShaky('a');
    expect(models.isAvailable('a')).toBe(false);
    now += 3_600_000;
    models.markShaky('a');
    expect(models.healthOf('a').status).toBe('shaky');
  });

  test('that a user wants tried is healthy at once', () => {
    models.markOut('a', 'terminal', quota());
    models.markHealthy('a');
    expect(models.isAvailable('a')).toBe(true);
  });
});

describe('a failure', () => {
  const kinds: Readonly<Record<ModelErrorKind, string | undefined>> = {
    quota: 'terminal',
    overloaded: 'transient',
    rateLimited: 'transient',
    network: undefined,
    invalidStream: 'transient',
    notFound: 'notFound',
    unknown: 'unknown',
    auth: undefined,
    forbidden: undefined,
    badRequest: undefined,
    noTools: undefined,
    tooLarge: undefined,
    blocked: undefined,
    aborted: undefined,
    silent: undefined,
  };

  for (const [kind, expected] of Object.entries(kinds)) {
    test(`of kind ${kind} is ${expected ?? 'no reason for another model'}`, () => {
      const error = new ModelError(kind as ModelErrorKind, () => 'It failed.', { retryable: true });
      expect(failureKind(error)).toBe(expected);
    });
  }
});
