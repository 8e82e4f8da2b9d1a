/** Nothing and `null` are no arguments. Some servers encode twice. `undefined`: not an object. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' && value.trim().startsWith('{')) return parseArguments(value);
    if (value === null || value === '') return {};
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // Not JSON: what that means is decided where the whole answer is judged.
    return undefined;
  }
}
