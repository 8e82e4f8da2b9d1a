/** True for what JSON, TOML and schemas call an object: no list, no `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Its members; of anything else none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** The two are written alike as JSON, members in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns `undefined` for a text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns an empty text for anything else. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A record of the entries that have a value. */
export function definedOf<T>(entries: Iterable<readonly [string, T | undefined]>): Record<string, T> {
  return Object.fromEntries(
    [...entries].filter((entry): entry is readonly [string, T] => entry[1] !== undefined),
  );
}
