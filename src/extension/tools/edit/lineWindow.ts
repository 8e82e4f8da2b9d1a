import type { OffsetEdit, TextLines } from './textLines.ts';

/** Returns the lines of a search text. A final line break does not begin another line. */
export function linesOfSearchText(search: string): readonly string[] {
  const lines = search.split('\n');
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/**
 * Replaces whole lines, re-indented. If the search text ends in a line break and the replacement is empty, the lines
 * are removed with their break; otherwise the break stays.
 */
export function replaceLines(
  file: TextLines,
  place: { readonly first: number; readonly count: number },
  search: string,
  replacement: string,
): OffsetEdit {
  const last = place.first + place.count - 1;
  const start = file.starts[place.first]!;
  const end = file.starts[last]! + file.lines[last]!.length;
  const closed = search.endsWith('\n');
  if (replacement === '') return { start, end: closed ? Math.min(end + 1, file.text.length) : end, text: '' };
  const lines = closed ? linesOfSearchText(replacement) : replacement.split('\n');
  const written = linesOfSearchText(search);
  // With other line breaks the lines cannot be compared one by one. The first is enough for the indentation.
  const found = file.lines.slice(
    place.first,
    place.first + (written.length === place.count ? place.count : 1),
  );
  return { start, end, text: reindent(lines, written, found).join('\n') };
}

/**
 * Re-indents new lines for their place. `written` is the model's version of the replaced lines, `found` the file's.
 * Indentation that both show is translated; deeper levels keep their additional indentation.
 */
function reindent(
  lines: readonly string[],
  written: readonly string[],
  found: readonly string[],
): readonly string[] {
  const levels = new Map<string, string>();
  for (const [i, line] of written.entries()) {
    const there = found[i];
    if (line.trim() === '' || there === undefined) continue;
    if (!levels.has(indentOf(line))) levels.set(indentOf(line), indentOf(there));
  }
  return lines.map(line => {
    if (line.trim() === '') return '';
    const indent = indentOf(line);
    return translate(indent, levels) + line.slice(indent.length);
  });
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

function translate(indent: string, levels: ReadonlyMap<string, string>): string {
  const same = levels.get(indent);
  if (same !== undefined) return same;
  const known = [...levels].sort(([a], [b]) => b.length - a.length);
  const outer = known.find(([written]) => indent.startsWith(written));
  if (outer) return outer[1] + inUnits(indent.slice(outer[0].length), known);
  const inner = known.findLast(([written]) => written.startsWith(indent));
  if (!inner) return indent;
  const less = inUnits(inner[0].slice(indent.length), known).length;
  return inner[1].slice(0, Math.max(0, inner[1].length - less));
}

/** If the file has tabs for the model's spaces, further spaces become tabs, too. */
function inUnits(spaces: string, known: readonly (readonly [string, string])[]): string {
  const pair = known.find(([written, there]) => /^ +$/.test(written) && /^\t+$/.test(there));
  if (!pair || !/^ +$/.test(spaces)) return spaces;
  return '\t'.repeat(Math.round((spaces.length * pair[1].length) / pair[0].length));
}
