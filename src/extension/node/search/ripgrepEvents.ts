/** The parts of `rg --json` output that are used. */
type RipgrepEvent =
  | { readonly type: 'begin'; readonly path: string }
  | { readonly type: 'line'; readonly number: number; readonly text: string; readonly isMatch: boolean }
  | { readonly type: 'end'; readonly binary: boolean };

/** Returns `undefined` for other events. */
export function parseRipgrepEvent(line: string): RipgrepEvent | undefined {
  const event = field(JSON.parse(line));
  const data = field(event.data);
  if (event.type === 'match' || event.type === 'context') {
    const number = typeof data.line_number === 'number' ? data.line_number : 0;
    return { type: 'line', number, text: parseText(data.lines), isMatch: event.type === 'match' };
  }
  if (event.type === 'begin') return { type: 'begin', path: parseText(data.path) };
  if (event.type !== 'end') return undefined;
  return { type: 'end', binary: typeof data.binary_offset === 'number' };
}

function field(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A text, or Base64 for bytes that are invalid UTF-8. */
function parseText(value: unknown): string {
  const { text, bytes } = field(value);
  if (typeof text === 'string') return text;
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString() : '';
}
