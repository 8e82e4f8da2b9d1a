/*
 * Hides values that are known to be secret, as they are: keys that the user gave to a program, and that the program
 * may print or answer with. Texts that only look like secrets are the matter of `maskSecrets`.
 */

import { SpokenError } from './errors.ts';
import { isRecord } from './record.ts';

/** A shorter one stands in ordinary text by chance, and hiding it would tell what it is. */
const shortest = 6;

export function hideValues(text: string, values: readonly string[]): string {
  return values.reduce(
    (found, value) => (value.length < shortest ? found : found.replaceAll(value, () => '[masked]')),
    text,
  );
}

/** In all texts of what JSON can hold, the names of keys included. */
export function hideValuesIn(whole: unknown, values: readonly string[]): unknown {
  if (typeof whole === 'string') return hideValues(whole, values);
  if (Array.isArray(whole)) return whole.map(each => hideValuesIn(each, values));
  if (!isRecord(whole)) return whole;
  return Object.fromEntries(
    Object.entries(whole).map(([key, each]) => [hideValues(key, values), hideValuesIn(each, values)]),
  );
}

/** In what an error says, wherever it is shown or logged; it stays the same error. */
export function hideValuesOfError(error: unknown, values: readonly string[]): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof SpokenError) each.reword(text => hideValues(text, values));
    for (const key of ['message', 'stack'] as const) {
      const text = each[key];
      const hidden = text === undefined ? undefined : hideValues(text, values);
      if (hidden !== text) Object.defineProperty(each, key, { value: hidden, configurable: true });
    }
  }
}
