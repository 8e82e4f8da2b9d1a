import { textSimilarity } from '../../base/similarity.ts';
import { headOf } from '../../base/text.ts';
import { linesOfSearchText } from './lineWindow.ts';
import { lineAt, type TextLines } from './textLines.ts';

const maxQuoted = 12;
const maxQuotedLength = 200;
/** Maximal number of lines compared by similarity if no line is equal. */
const maxCompared = 20_000;

/** Quotes the numbered lines of the file most similar to the missing text. */
export function quoteNearest(file: TextLines, search: string): string | undefined {
  const wanted = linesOfSearchText(search).map(line => line.trim());
  const first = startByEqualLines(file, wanted) ?? startByLikeness(file, wanted);
  if (first === undefined) return undefined;
  const lines = file.lines.slice(first, first + wanted.length);
  const differing = lines.findIndex((line, i) => line.trim() !== wanted[i]);
  const from = differing > maxQuoted - 3 ? first + differing - 3 : first;
  const quoted = file.lines.slice(from, Math.min(first + wanted.length, from + maxQuoted));
  const quote = quoted.map((line, i) => `${from + i + 1} | ${headOf(line, maxQuotedLength)}`).join('\n');
  const where =
    differing < 0 ? '' : ` Line ${differing + 1} of old_string differs from line ${first + differing + 1}.`;
  return `The nearest lines in the file (number | text):\n${quote}\n${where.trim()}`.trimEnd();
}

/** Lists lines for the model: `line 3`, `lines 3, 9 and 2 more`. */
export function listLineNumbers(file: TextLines, offsets: readonly number[]): string {
  const numbers = offsets.slice(0, 8).map(offset => lineAt(file.starts, offset) + 1);
  const more = offsets.length - numbers.length;
  return `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Each equal line votes for the start of the whole text. */
function startByEqualLines(file: TextLines, wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [i, line] of wanted.entries()) {
    if (line.length < 4) continue;
    const at = places.get(line);
    if (at) at.push(i);
    else places.set(line, [i]);
  }
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [i, line] of file.lines.entries()) {
    for (const at of places.get(line.trim())?.slice(0, 100) ?? []) {
      const start = i - at;
      if (start < 0) continue;
      const count = (votes.get(start) ?? 0) + 1;
      votes.set(start, count);
      if (best === undefined || count > votes.get(best)!) best = start;
    }
  }
  return best;
}

function startByLikeness(file: TextLines, wanted: readonly string[]): number | undefined {
  const longest = headOf(
    wanted.reduce((a, b) => (b.length > a.length ? b : a), ''),
    300,
  );
  const offset = wanted.findIndex(line => line.startsWith(longest));
  let best: { readonly line: number; readonly score: number } | undefined;
  for (const [line, text] of file.lines.slice(0, maxCompared).entries()) {
    const score = textSimilarity(longest, headOf(text, 400).trim());
    if (score >= 0.4 && score > (best?.score ?? 0)) best = { line, score };
  }
  return best && Math.max(0, best.line - offset);
}
