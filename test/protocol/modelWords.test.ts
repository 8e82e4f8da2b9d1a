import { expect, test } from 'vitest';
import { describeLimit, describeModel } from '../../src/protocol/words/modelWords.ts';

test('sizes read as services say them', () => {
  expect(
    [640, 4096, 32_768, 131_072, 128_000, 200_000, 999_999, 1_048_576, 1_047_576, 2_097_152].map(
      describeLimit,
    ),
  ).toEqual(['640', '4k', '32k', '128k', '128k', '200k', '1M', '1M', '1M', '2M']);
});

test('a price has cents, and tenths of them where it needs those', () => {
  const price = { input: 0.075, cached: 0.01, output: 12 };
  expect(describeModel({ contextLimit: 200_000, price })).toBe(
    '200k tokens of context · $0.075 in · $12.00 out per million',
  );
  expect(describeModel({ contextLimit: 200_000 })).toBe('200k tokens of context · price unknown');
});

test('a free model costs nothing, which is something else than an unknown price', () => {
  const price = { input: 0, cached: 0, output: 0 };
  expect(describeModel({ contextLimit: 8192, price })).toBe(
    '8k tokens of context · $0.00 in · $0.00 out per million',
  );
});
