import { reindent } from './reindent.ts';
import type { OffsetEdit, TextLines } from './textLines.ts';

/** Returns the lines of a search text. A final line break does not begin another line. */
export function searchLines(search: string): readonly string[] {
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
  const lines = closed ? searchLines(replacement) : replacement.split('\n');
  const written = searchLines(search);
  // With other line breaks the lines cannot be compared one by one. The first is enough for the indentation.
  const found = file.lines.slice(
    place.first,
    place.first + (written.length === place.count ? place.count : 1),
  );
  return { start, end, text: reindent(lines, written, found).join('\n') };
}
