import { editDistance, editDistanceCost } from '../../base/similarity.ts';
import { linesOfSearchText, replaceLines } from './lineWindow.ts';
import type { OffsetEdit, TextLines } from './textLines.ts';

/** Shorter texts resemble too many others. */
const minLength = 30;
/** Share of characters that may differ. */
const tolerance = 0.1;
/** Maximal number of steps, well below a second. */
const maxSteps = 100_000_000;

/**
 * Finds windows of as many lines as the search text that differ from it in few characters, ignoring indentation.
 * Character counts are a lower bound of the edit distance and exclude most windows without a comparison.
 */
export function matchSimilar(file: TextLines, search: string, replacement: string): readonly OffsetEdit[] {
  const wanted = linesOfSearchText(search).map(line => line.trim());
  const count = wanted.length;
  const goal = wanted.join('\n');
  const limit = Math.floor(goal.length * tolerance);
  if (goal.length < minLength || count > file.lines.length) return [];
  const lines = file.lines.map(line => line.trim());
  const surplus = new LetterBalance(wanted);
  let steps = 0;
  const windows: { first: number; distance: number }[] = [];
  for (let end = 0; end < lines.length; end++) {
    surplus.enter(lines[end]!);
    if (end >= count) surplus.leave(lines[end - count]!);
    const first = end - count + 1;
    if (first < 0 || surplus.distance() > limit) continue;
    steps += editDistanceCost(goal.length, limit);
    if (steps > maxSteps) return [];
    const distance = editDistance(goal, lines.slice(first, end + 1).join('\n'), limit);
    if (distance <= limit) windows.push({ first, distance });
  }
  return bestApart(windows, count).map(first => replaceLines(file, { first, count }, search, replacement));
}

/** Keeps the most similar of overlapping windows. */
function bestApart(
  windows: readonly { first: number; distance: number }[],
  count: number,
): readonly number[] {
  const chosen: number[] = [];
  for (const { first } of windows.toSorted((a, b) => a.distance - b.distance)) {
    if (chosen.every(other => Math.abs(other - first) >= count)) chosen.push(first);
  }
  return chosen.sort((a, b) => a - b);
}

/** Difference in character counts (codes modulo 256) between a moving window of lines and the search text. */
class LetterBalance {
  private readonly balance = new Int32Array(256);

  constructor(goal: readonly string[]) {
    for (const line of goal) this.leave(line);
  }

  enter(line: string): void {
    for (let i = 0; i < line.length; i++) this.balance[line.charCodeAt(i) & 255]! += 1;
  }

  leave(line: string): void {
    for (let i = 0; i < line.length; i++) this.balance[line.charCodeAt(i) & 255]! -= 1;
  }

  /** Lower bound of the edit distance. */
  distance(): number {
    let more = 0;
    let less = 0;
    for (const value of this.balance) {
      if (value > 0) more += value;
      else less -= value;
    }
    return Math.max(more, less);
  }
}
