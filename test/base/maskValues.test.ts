import { expect, test } from 'vitest';
import { maskValues, maskValuesInError, maskValuesInJson } from '../../src/extension/base/maskValues.ts';

const key = 'a.b$&c';

test('a known value is hidden wherever it stands, as it is and never as a pattern', () => {
  expect(maskValues(`x${key}y ${key} a-b$&c`, [key])).toBe('x[masked]y [masked] a-b$&c');
  expect(maskValuesInJson({ [`of ${key}`]: [key, 7, null, { deep: `${key}!` }] }, [key])).toEqual({
    'of [masked]': ['[masked]', 7, null, { deep: '[masked]!' }],
  });
});

test('a value of a few letters stays: it stands in ordinary text by chance', () => {
  expect(maskValues('port 80 at 8080', ['80', ''])).toBe('port 80 at 8080');
});

test('an error says it nowhere, and stays the same error', () => {
  const error = new RangeError(`no ${key}`, { cause: new Error(key) });
  maskValuesInError(error, [key]);
  expect([error.message, error.stack, (error.cause as Error).message].join()).not.toContain(key);
  expect(error).toBeInstanceOf(RangeError);
});
