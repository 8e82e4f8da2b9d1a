import { baseText, type FileReview, type Hunk, presentText } from './fileReview.ts';
import { splitLines } from './lineEdits.ts';

/** The same picture in lines of the file, for whoever shows the file as text. Decisions go by the ids of hunks. */
export function asLines(review: FileReview): FileReview {
  if (review.by === 'lines') return review;
  const [base, present] = [splitLines(baseText(review)), splitLines(presentText(review))];
  const [baseLines, presentLines] = [unitLines(review.base), unitLines(review.present)];
  const hunks = review.hunks.map((hunk): Hunk => {
    const old = spanOf(baseLines, hunk.baseStart, hunk.baseCount);
    const now = spanOf(presentLines, hunk.start, hunk.count);
    return {
      ...hunk,
      baseStart: old.start,
      baseCount: old.count,
      ...now,
      agentLines: present.slice(now.start, now.start + now.count),
    };
  });
  return { ...review, by: 'lines', base, present, hunks };
}

interface UnitLines {
  readonly first: number;
  readonly last: number;
}

/** Of each unit the lines on which its text begins and ends, from 0. */
function unitLines(units: readonly string[]): readonly UnitLines[] {
  let line = 0;
  return units.map(unit => {
    const space = unit.slice(0, unit.search(/\S|$/));
    const first = line + breaksIn(space);
    line += breaksIn(unit);
    return { first, last: line };
  });
}

function spanOf(lines: readonly UnitLines[], start: number, count: number): { start: number; count: number } {
  const first = lines[start]?.first ?? (lines.at(-1)?.last ?? -1) + 1;
  if (count === 0) return { start: first, count: 0 };
  return { start: first, count: lines[start + count - 1]!.last - first + 1 };
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
