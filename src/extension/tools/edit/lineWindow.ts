import { reindent } from './reindent.ts';
import type { OffsetEdit, TextLines } from './textLines.ts';

/** The lines of a search text; its final line break closes the last one. */
export function searchLines(search: string): readonly string[] {
  const lines = search.split('\n');
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/**
 * Replaces whole lines, re-indented. A final break of the search text stands for "these lines": without a
 * replacement they go together with their break, otherwise the break stays.
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
  // Lines that are broken otherwise cannot be compared one by one; the first is enough for the indentation.
  const found = file.lines.slice(
    place.first,
    place.first + (written.length === place.count ? place.count : 1),
  );
  return { start, end, text: reindent(lines, written, found).join('\n') };
}
