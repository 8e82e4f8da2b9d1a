import { resolve } from 'node:path';
import type { Diagnostic } from '../../platform/diagnostics.ts';

interface CheckOutput {
  /** Without terminal control characters. */
  readonly text: string;
  /** Absolute path of its working folder; the base of relative paths. */
  readonly folder: string;
  /** Absolute path of the checked file. */
  readonly path: string;
}

/**
 * Parses `file:line:column: message`, `file(line,column): message`, or a heading with the file above indented lines. If
 * no line matches, all lines count as they are. Removes the position from messages about the checked file, so that a
 * moved problem stays the same problem.
 */
export function parseProblems({ text, folder, path }: CheckOutput): readonly Diagnostic[] {
  const lines = text.split('\n').filter(line => /\p{L}/u.test(line));
  let heading = path;
  const located = lines.flatMap(line => {
    const found = parsePlaced(line) ?? parseIndented(line, heading);
    if (found) return toDiagnostic(found, resolve(folder, found.file) === path);
    if (/^\S.*\.\w+$/.test(line)) heading = resolve(folder, line);
    return [];
  });
  return located.length > 0
    ? located
    : lines.map(line => ({ severity: severityOf(line), message: line.trim() }));
}

interface Placed {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

function parsePlaced(line: string): Placed | undefined {
  const match =
    /^((?:[A-Za-z]:)?[^\s:(][^:(]*?):(\d+)(?::\d+)?(?::| -)\s*(.*\p{L}.*)$/u.exec(line) ??
    /^([^\s(][^(]*)\((\d+)(?:,\d+)?\):?\s*(.*\p{L}.*)$/u.exec(line);
  return match ? { file: match[1]!, line: Number(match[2]), message: match[3]! } : undefined;
}

function parseIndented(line: string, file: string): Placed | undefined {
  const match = /^\s+(\d+):\d+\s+((?:error|warning)\s.*)$/.exec(line);
  return match ? { file, line: Number(match[1]), message: match[2]! } : undefined;
}

function toDiagnostic({ file, line, message }: Placed, isChecked: boolean): Diagnostic {
  const severity = severityOf(message);
  const plain = message.replace(/^(?:fatal )?(?:error|warning)\b[:\s]*/i, '').trim() || message.trim();
  return isChecked ? { severity, line, message: plain } : { severity, message: `${file}:${line}: ${plain}` };
}

function severityOf(message: string): Diagnostic['severity'] {
  return /^\W*warn(?:ing)?\b/i.test(message) ? 'warning' : 'error';
}
