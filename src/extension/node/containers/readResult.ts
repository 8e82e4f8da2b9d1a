import { isRecord, tryParseJson } from '../../base/record.ts';

/** The CLI prints one object, in the last line of standard output; the log goes to standard error. */
export function parseCliResult(printed: string): Readonly<Record<string, unknown>> | undefined {
  for (const line of printed.trimEnd().split('\n').reverse()) {
    if (!line.startsWith('{"')) continue;
    const value = tryParseJson(line);
    if (isRecord(value)) return value;
  }
  return undefined;
}
