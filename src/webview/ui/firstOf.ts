/** Returns the first items. A single further one is returned, too: a row that counts it would take its place. */
export function firstOf<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return items.length <= limit + 1 ? items : items.slice(0, limit);
}
