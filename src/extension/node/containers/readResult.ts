import { isRecord } from '../../base/record.ts';

/** The CLI prints one object, in the last line of standard output; the log goes to standard error. */
export function parseCliResult(printed: string): Readonly<Record<string, unknown>> | undefined {
  for (const line of printed.trimEnd().split('\n').reverse()) {
    if (!line.startsWith('{"')) continue;
    try {
      const value: unknown = JSON.parse(line);
      if (isRecord(value)) return value;
    } catch {
      // A line of the log.
    }
  }
  return undefined;
}
