import { expect, it } from 'vitest';
import { estimatePart, estimateText } from '../../../src/extension/core/context/tokens.ts';

it.each([
  ['nothing', '', 0],
  ['four ASCII characters', 'abcd', 1],
  ['other characters, which cost six times as much', 'äöüß', 6],
  ['one character of two units', '😀😀', 3],
  ['a long text, by its length alone', 'ä'.repeat(100_004), 25_001],
])('the estimate of a text of %s', (_, text, tokens) => {
  expect(estimateText(text)).toBe(tokens);
});

it('a result counts by its JSON, and its blobs by their kind', () => {
  const result = { kind: 'result', id: 'a', name: 'read_file', ok: true, text: '\n'.repeat(199) } as const;
  expect(estimatePart(result)).toBe(100);
  const blobs = [
    { mimeType: 'image/png', data: 'x' },
    { mimeType: 'application/pdf', data: 'x' },
  ];
  expect(estimatePart({ ...result, blobs })).toBe(100 + 3_000 + 25_800);
});
