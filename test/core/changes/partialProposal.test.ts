import { describe, expect, it } from 'vitest';
import { takeHunks } from '../../../src/extension/core/changes/partialProposal.ts';
import { fileDiff } from '../../../src/extension/review/fileDiff.ts';
import { fc } from '../../support/properties.ts';

const before = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');

describe('a proposal that is taken in part', () => {
  it('holds the hunks that were taken and the old lines elsewhere', () => {
    const after = before.replace('line 5\n', 'FIVE\n').replace('line 30\n', 'THIRTY\nmore\n');
    const diff = fileDiff('a', before, after);
    expect(diff.hunks).toHaveLength(2);
    expect(takeHunks(before, after, diff, [0])).toBe(before.replace('line 5\n', 'FIVE\n'));
    expect(takeHunks(before, after, diff, [1])).toBe(before.replace('line 30\n', 'THIRTY\nmore\n'));
  });

  it('is whole when all are taken and nothing when none is', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd\r', ''), { maxLength: 60 })
      .map(lines => lines.join('\n'));
    fc.assert(
      fc.property(texts, texts, (from, to) => {
        const diff = fileDiff('a', from, to);
        const all = diff.hunks.map((_, index) => index);
        expect(takeHunks(from, to, diff, all)).toBe(to);
        expect(takeHunks(from, to, diff, [])).toBe(from);
      }),
    );
  });
});
