import { headOf } from './text.ts';
/**
 * Returns the Levenshtein distance of two texts, computed only in the band that can stay within `limit`. Returns any
 * number above `limit` if the distance is larger. Costs about `editDistanceCost` steps.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const over = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return over;
  let above = new Uint32Array(b.length + 1).fill(over);
  let row = new Uint32Array(b.length + 1).fill(over);
  for (let j = 0; j <= Math.min(limit, b.length); j++) above[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    // Resets the cells just outside of the band, which hold values of an earlier row.
    row[from - 1] = from === 1 && i <= limit ? i : over;
    if (to < b.length) row[to + 1] = over;
    let least = row[from - 1]!;
    for (let j = from; j <= to; j++) {
      const same = above[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const value = Math.min(same, above[j]! + 1, row[j - 1]! + 1);
      row[j] = value;
      if (value < least) least = value;
    }
    if (least > limit) return over;
    [above, row] = [row, above];
  }
  return above[b.length]!;
}

export function editDistanceCost(length: number, limit: number): number {
  return length * (2 * limit + 1);
}

/** Returns the similarity of two texts from 0 to 1: the share of common letter pairs (Dice's coefficient). */
export function textSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i < a.length - 1; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let i = 0; i < b.length - 1; i++) {
    const pair = b.slice(i, i + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common += 1;
  }
  return (2 * common) / (a.length + b.length - 2);
}

/** Returns up to three known names closest to `name`, to suggest after a typo. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  // Bounds the cost. No known name is longer.
  const wanted = headOf(name, 100).toLowerCase();
  return known
    .map(candidate => ({
      candidate,
      distance: editDistance(wanted, candidate.toLowerCase(), Math.max(wanted.length, candidate.length)),
    }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}
