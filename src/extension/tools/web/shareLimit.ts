/**
 * Splits a limit among texts: who needs less than an even share leaves the rest to the others. The sum never
 * exceeds `total`.
 */
export function shareLimit(lengths: readonly number[], total: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const byNeed = lengths.map((length, index) => ({ length, index })).sort((a, b) => a.length - b.length);
  let left = total;
  byNeed.forEach(({ length, index }, rank) => {
    const share = Math.min(length, Math.floor(left / (byNeed.length - rank)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
