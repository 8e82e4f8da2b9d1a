/** Deeper than the input of any tool; limits recursion on hostile nesting. */
const maxDepth = 100;

/** Serializes equal data to equal text, whatever the order of its members. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth >= maxDepth) return '"…"';
  if (Array.isArray(value)) return `[${value.map(each => canonicalJson(each, depth + 1)).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each, depth + 1)}`);
  return `{${members.join(',')}}`;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The throw is the answer.
    return false;
  }
}
