/**
 * `next` with every part of `before` that says the same in its place. A snapshot comes as new objects; what did not
 * change must stay the object that it was, or all of the page would render again and take it for news.
 */
export function keepSame<T>(before: unknown, next: T): T {
  if (!isObject(before) || !isObject(next) || Array.isArray(before) !== Array.isArray(next)) return next;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(before).length;
  const kept: Record<string, unknown> = {};
  for (const name of names) {
    kept[name] = keepSame(before[name], next[name]);
    isSame &&= name in before && kept[name] === before[name];
  }
  if (isSame) return before as T;
  return (Array.isArray(next) ? names.map(name => kept[name]) : kept) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
