import { parse } from 'yaml';
import { fieldsOf } from '../../base/record.ts';

/** Loaded when it is first needed. A file that is not valid is empty: Compose refuses it, too. */
export function parseCompose(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(parse(text, { maxAliasCount: 20, logLevel: 'error' }));
  } catch {
    return {};
  }
}
