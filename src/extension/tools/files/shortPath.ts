/** A path as given, cut at its start when it is too long for a card; its end tells most. */
export function shortPath(path: string, limit = 80): string {
  if (path.length <= limit) return path;
  const tail = path.slice(path.length - limit + 1);
  const slash = tail.indexOf('/');
  return `…${slash >= 0 && slash < tail.length - 1 ? tail.slice(slash) : tail}`;
}
