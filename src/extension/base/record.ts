/** Returns whether the value is a JSON object, not an array or `null`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty one. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Returns whether both serialize to the same JSON. The order of members counts. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns `undefined` if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a string, else an empty one. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Makes an object of the entries whose value is defined. */
export function fromDefinedEntries<T>(
  entries: Iterable<readonly [string, T | undefined]>,
): Record<string, T> {
  return Object.fromEntries(
    [...entries].filter((entry): entry is readonly [string, T] => entry[1] !== undefined),
  );
}
