/**
 * Returns whether the name matches the pattern, in which `*` matches any characters. The time is linear in the length
 * of both, regardless of the number of stars.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    // The first occurrence leaves the most text for the remaining parts.
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
