/**
 * `next` with every part of `before` that says the same in its place. A snapshot comes as new objects; what did not
 * change must stay the object that it was, or all of the page would render again and take it for news.
 */
export function keepSame<T>(before: unknown, next: T): T {
  if (!isObject(before) || !isObject(next) || Array.isArray(before) !== Array.isArray(next)) return next;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(before).length;
  const kept = names.map((name): readonly [string, unknown] => {
    const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
    const part = keepSame(earlier, next[name]);
    isSame &&= part === earlier && Object.hasOwn(before, name);
    return [name, part];
  });
  if (isSame) return before as T;
  return (Array.isArray(next) ? kept.map(([, part]) => part) : Object.fromEntries(kept)) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
