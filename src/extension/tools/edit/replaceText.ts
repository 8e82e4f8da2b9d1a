import { plural, t } from '../../../protocol/language.ts';
import { noChange } from '../../core/tool.ts';
import { findMatch, type Match, type MatchKind } from './match.ts';
import { listLineNumbers, quoteNearest } from './nearestLines.ts';
import { replaceRanges, type TextLines, toLf, toTextLines } from './textLines.ts';

interface Replacing {
  readonly search: string;
  readonly replacement: string;
  /** Required number of matches. All of them are replaced. */
  readonly places: number | 'any';
}

export type ReplaceResult =
  | { readonly ok: true; readonly text: string; readonly count: number; readonly kind: MatchKind }
  /** `reason` tells the model what to do. `isMissing`: the search text is not in the file. */
  | {
      readonly ok: false;
      readonly summary: () => string;
      readonly reason: string;
      readonly isMissing?: true;
    };

/**
 * Replaces a part of a text. Matches any line endings. Preserves the bytes of all other text and a final line break.
 */
export function replaceText(original: string, { search, replacement, places }: Replacing): ReplaceResult {
  const [from, to] = [toLf(search), toLf(replacement)];
  if (from === to)
    return failed(() => t('No change'), 'old_string and new_string are the same, so there is no change.');
  const file = toTextLines(toLf(original));
  if (isNumbered(from) && !file.text.includes(from))
    return failed(() => t('Line numbers in old_string'), numbered);
  const match = findMatch(file, from, to);
  if (!match)
    return { ...failed(() => t('old_string not found'), notFound(file, from, to)), isMissing: true };
  const count = match.replacements.length;
  const isOther = places !== 'any' && places !== count;
  if (isOther || (count > 1 && match.kind === 'similar')) {
    const reason = isOther && places > 1 ? otherCount(file, match, places) : ambiguous(file, match);
    return failed(() => plural(count, 'one: {0} match | other: {0} matches'), reason);
  }
  const text = withFinalBreak(original, replaceRanges(original, match.replacements));
  if (text === original) {
    return failed(noChange, 'The file already reads as new_string wants it, so there is no change.');
  }
  return { ok: true, text, count, kind: match.kind };
}

function failed(summary: () => string, reason: string): Extract<ReplaceResult, { ok: false }> {
  return { ok: false, summary, reason };
}

const numbered =
  'old_string begins its lines with the numbers that stand before lines in results. They are not in the file, so nothing was changed: give both texts without them.';

/** Detects line numbers as shown to the model. A lenient match would write them into the file. */
function isNumbered(search: string): boolean {
  const lines = search.replace(/\n$/, '').split('\n');
  return lines.every(line => /^\s*\d+[:-] /.test(line));
}

function withFinalBreak(original: string, text: string): string {
  if (text === '' || text.endsWith('\n') || !original.endsWith('\n')) return text;
  return text + (original.endsWith('\r\n') ? '\r\n' : '\n');
}

function placesOf(file: TextLines, { replacements }: Match): string {
  return listLineNumbers(
    file,
    replacements.map(place => place.start),
  );
}

function otherCount(file: TextLines, match: Match, wanted: number): string {
  return `old_string matches ${match.replacements.length} places, at ${placesOf(file, match)}, and not ${wanted}. Nothing was changed.`;
}

function ambiguous(file: TextLines, match: Match): string {
  const places = placesOf(file, match);
  if (match.kind === 'similar') {
    return `old_string is not in the file, and text like it starts at ${places}. Read the file and give the exact text.`;
  }
  const count = match.replacements.length;
  return `old_string matches ${count} places, at ${places}. Add lines around it until it matches one place only, or set allow_multiple to change all of them.`;
}

function notFound(file: TextLines, search: string, replacement: string): string {
  const parts = ['old_string is not in the file, so nothing was changed.'];
  const already = replacement.trim().length >= 10 ? file.text.indexOf(replacement.trim()) : -1;
  if (already >= 0) parts.push(`new_string is already there, at ${listLineNumbers(file, [already])}.`);
  const quote = quoteNearest(file, search);
  parts.push(quote ?? 'No line of the file is like it.');
  parts.push('Read the file and copy old_string exactly, with its whitespace.');
  return parts.join('\n');
}
