/**
 * Re-indents new lines for their place. `written` is the model's version of the replaced lines, `found` the file's.
 * Indentation that both show is translated; deeper levels keep their additional indentation.
 */
export function reindent(
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
