import { isRecord, tryParseJson } from '../../base/record.ts';
import { plainTerminalText } from '../../base/terminalText.ts';

export type PrintedObject = Readonly<Record<string, unknown>>;

/** Characters that the search for objects between other lines reads; each object may be looked for to the end. */
const maxRead = 20_000_000;

/**
 * The JSON objects that a program printed. A shell's profile, a version manager or the program itself may print lines,
 * colors or further objects around the one that is meant, and PowerShell a byte-order mark.
 */
export function printedObjects(printed: string): readonly PrintedObject[] {
  const text = plainTerminalText(printed)
    .replace(/^[\uFEFF\uFFFD]+/, '')
    .trim();
  const value = /^["{[]/.test(text) ? tryParseJson(text) : undefined;
  // Some write it as JSON within a string of JSON.
  const whole = typeof value === 'string' ? tryParseJson(value.trim()) : value;
  if (isRecord(whole)) return [whole];
  return Array.isArray(whole) ? whole.filter(isRecord) : objectsBetween(text);
}

/** Each begins a line: what stands within one may be a file or a call that the program names. */
function objectsBetween(text: string): readonly PrintedObject[] {
  const found: PrintedObject[] = [];
  let read = 0;
  for (const start = /^[^\S\n]*\{/gm; read < maxRead && start.test(text); ) {
    const from = start.lastIndex - 1;
    const end = endOfObject(text, from);
    read += (end ?? text.length) - from;
    const value = end === undefined ? undefined : tryParseJson(text.slice(from, end));
    if (!isRecord(value)) continue;
    found.push(value);
    start.lastIndex = end ?? text.length;
  }
  return found;
}

/** Behind the brace that closes the one at `start`; `undefined`: none does. */
function endOfObject(text: string, start: number): number | undefined {
  const token = /["{}\\]/g;
  token.lastIndex = start;
  let depth = 0;
  let isString = false;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [letter] = match;
    if (letter === '"') isString = !isString;
    else if (letter === '\\') token.lastIndex++;
    else if (!isString) depth += letter === '{' ? 1 : -1;
    if (depth === 0) return match.index + 1;
  }
  return undefined;
}
