import { linesOfSearchText, replaceLines } from './lineWindow.ts';
import { matchSimilar } from './matchSimilar.ts';
import { matchTokens } from './matchTokens.ts';
import type { OffsetEdit, TextLines } from './textLines.ts';

/** How the search text was found, from strict to lenient. */
export type MatchKind = 'exact' | 'whitespace' | 'tokens' | 'similar';

export interface Match {
  readonly kind: MatchKind;
  /** In order, not overlapping. */
  readonly replacements: readonly OffsetEdit[];
}

/**
 * Finds `search` and computes the replacements. The strictest way that finds anything decides, so that a lenient way
 * never adds matches. All texts have `\n` line breaks.
 */
export function findMatch(file: TextLines, search: string, replacement: string): Match | undefined {
  for (const [kind, find] of matchers) {
    const replacements = find(file, search, replacement);
    if (replacements.length > 0) return { kind, replacements };
  }
  return undefined;
}

type FindReplacements = (file: TextLines, search: string, replacement: string) => readonly OffsetEdit[];

const matchers: readonly (readonly [MatchKind, FindReplacements])[] = [
  ['exact', matchExact],
  ['whitespace', matchWhitespace],
  ['tokens', matchTokens],
  ['similar', matchSimilar],
];

function matchExact(file: TextLines, search: string, replacement: string): readonly OffsetEdit[] {
  const places: OffsetEdit[] = [];
  let start = file.text.indexOf(search);
  while (start >= 0) {
    const end = start + search.length;
    places.push({ start, end, text: replacement });
    start = file.text.indexOf(search, end);
  }
  return places;
}

/** Compares lines without leading and trailing whitespace. */
function matchWhitespace(file: TextLines, search: string, replacement: string): readonly OffsetEdit[] {
  const wanted = linesOfSearchText(search).map(line => line.trim());
  const count = wanted.length;
  if (wanted.every(line => line === '')) return [];
  const places: OffsetEdit[] = [];
  const lines = file.lines.map(line => line.trim());
  for (let first = 0; first + count <= lines.length; first++) {
    if (!wanted.every((line, i) => line === lines[first + i])) continue;
    places.push(replaceLines(file, { first, count }, search, replacement));
    first += count - 1;
  }
  return places;
}
