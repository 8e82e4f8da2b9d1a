import { parse } from 'yaml';
import { fieldsOf } from '../../base/record.ts';

/** Returns an empty object for an invalid file, which Compose rejects too. Loaded on first use. */
export function parseCompose(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(parse(text, { maxAliasCount: 20, logLevel: 'error' }));
  } catch {
    return {};
  }
}
