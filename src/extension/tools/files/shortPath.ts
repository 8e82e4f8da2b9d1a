const limit = 80;

/** Cuts a long path in the middle for a card: start and end tell most. */
export function shortPath(path: string): string {
  if (path.length <= limit) return path;
  const head = path.slice(0, Math.floor(limit / 3));
  const tail = path.slice(path.length - (limit - head.length - 1));
  const slash = tail.indexOf('/');
  return `${head}…${slash >= 0 && slash < tail.length - 1 ? tail.slice(slash) : tail}`;
}
