import { isRecord } from '../../base/record.ts';

/** Their values are data, whatever their members are called. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * A schema without its regular expressions: a server could give one that takes hours, in the process that all of
 * Folio runs in. The server itself refuses arguments that do not fit them.
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
