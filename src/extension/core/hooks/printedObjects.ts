import { isRecord, tryParseJson } from '../../base/record.ts';
import { plainTerminalText } from '../../base/terminalText.ts';

export type PrintedObject = Readonly<Record<string, unknown>>;

/** Characters scanned for objects between other lines; each candidate may be scanned to the end. */
const maxRead = 20_000_000;

/**
 * Finds JSON objects in a program's output. Shell profiles, version managers or the program itself may print other
 * lines, colors or objects around it, and PowerShell a byte-order mark.
 */
export function printedObjects(printed: string): readonly PrintedObject[] {
  const text = plainTerminalText(printed)
    .replace(/^[\uFEFF\uFFFD]+/, '')
    .trim();
  const value = /^["{[]/.test(text) ? tryParseJson(text) : undefined;
  // Some programs encode the JSON as a JSON string.
  const whole = typeof value === 'string' ? tryParseJson(value.trim()) : value;
  if (isRecord(whole)) return [whole];
  return Array.isArray(whole) ? whole.filter(isRecord) : objectsBetween(text);
}

/** An object must start a line: inside a line it may be a quoted file or call. */
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

/** Index after the brace that closes the one at `start`; `undefined`: unbalanced. */
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
