import { isRecord } from '../../base/record.ts';

/** The values of these keywords are data, not schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * Removes regular expressions from a schema: one from a server could run for hours in the process of all of Folio. The
 * server itself rejects arguments that do not match them.
 */
export function withoutPatterns(
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      const isPattern = (key === 'pattern' && typeof value === 'string') || key === 'patternProperties';
      return isPattern ? [] : [[key, data.has(key) ? value : inner(value)]];
    }),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isRecord(value) ? withoutPatterns(value) : value;
}
