/** Parses a token count. Anything else would corrupt sums and prices, and make the journal unreadable. */
export function parseTokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
