/** A count as a server sends it: what is no count would make sums and prices wrong, and the journal unreadable. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
