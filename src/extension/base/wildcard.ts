/**
 * Says whether the name matches the pattern, in which `*` stands for any letters. The time grows with the length of
 * both, however many stars there are.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    // The first place leaves the most room for what follows.
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
