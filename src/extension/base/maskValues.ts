/*
 * Hides exact secret values, such as keys that the user gave to a program, which it may print. `maskSecrets` hides
 * texts that only look like secrets.
 */

import { LocalizedError } from './errors.ts';
import { isRecord } from './record.ts';

/** Minimal length. A shorter value occurs in ordinary text by chance, and hiding it would reveal it. */
const shortest = 6;

export function maskValues(text: string, values: readonly string[]): string {
  return values.reduce(
    (found, value) => (value.length < shortest ? found : found.replaceAll(value, () => '[masked]')),
    text,
  );
}

/** Hides the values in all strings of JSON data, keys of objects included. */
export function maskValuesInJson(whole: unknown, values: readonly string[]): unknown {
  if (typeof whole === 'string') return maskValues(whole, values);
  if (Array.isArray(whole)) return whole.map(each => maskValuesInJson(each, values));
  if (!isRecord(whole)) return whole;
  return Object.fromEntries(
    Object.entries(whole).map(([key, each]) => [maskValues(key, values), maskValuesInJson(each, values)]),
  );
}

/** Hides the values in the message and the stack of an error and its causes, in place. */
export function maskValuesInError(error: unknown, values: readonly string[]): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof LocalizedError) each.reword(text => maskValues(text, values));
    for (const key of ['message', 'stack'] as const) {
      const text = each[key];
      const hidden = text === undefined ? undefined : maskValues(text, values);
      if (hidden !== text) Object.defineProperty(each, key, { value: hidden, configurable: true });
    }
  }
}
