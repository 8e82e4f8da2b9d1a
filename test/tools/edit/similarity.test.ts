import { describe, expect, test } from 'vitest';
import { editDistance, textSimilarity } from '../../../src/extension/base/similarity.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

describe('similarity', () => {
  test('the bounded edit distance agrees with the plain one up to its limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.nat(8), (a, b, limit) => {
        const plain = plainDistance(a, b);
        const bounded = editDistance(a, b, limit);
        if (plain <= limit) expect(bounded).toBe(plain);
        else expect(bounded).toBeGreaterThan(limit);
      }),
      { numRuns: runSize({ test: 300, prove: 50_000 }) },
    );
  });

  test('likeness is 1 for equal texts and 0 for texts without a common pair', () => {
    expect(textSimilarity('abc', 'abc')).toBe(1);
    expect(textSimilarity('abc', 'xyz')).toBe(0);
    expect(textSimilarity('night', 'nacht')).toBe(0.25);
  });
});

function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(rows[i - 1]![j - 1]! + cost, rows[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
