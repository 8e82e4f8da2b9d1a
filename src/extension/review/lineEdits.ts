import { diffArrays } from 'diff';

/** Lines `oldStart … oldStart + oldCount` became lines `newStart … newStart + newCount`; all from 0. */
export interface LineEdit {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/**
 * The cost of the search for the shortest script grows with the square of the number of changed lines. Beyond
 * this many the texts are first split at lines that stand once in each of them (the idea of patience diff); what
 * has no such line counts as replaced whole, which is also what a user would say of it.
 */
const maxEditLength = 1000;

/** The edits that lead from `before` to `after`, in order, with at least one equal line between two edits. */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const edits = findEdits(before, after);
  return edits.map((edit, i) => slid(edit, before, after, edits[i + 1]));
}

/**
 * Lines that only came or only went can often be named in several ways: of `} { }` after `}` the new ones are `} {`
 * or `{ }`. The last way is the one in which a block begins where a user would say that it does.
 */
function slid(
  edit: LineEdit,
  before: readonly string[],
  after: readonly string[],
  next: LineEdit | undefined,
): LineEdit {
  const { oldStart, oldCount, newStart, newCount } = edit;
  if (oldCount > 0 && newCount > 0) return edit;
  const [lines, start, count] = oldCount > 0 ? [before, oldStart, oldCount] : [after, newStart, newCount];
  const end = next ? (oldCount > 0 ? next.oldStart : next.newStart) - 1 : lines.length;
  let by = 0;
  while (start + count + by < end && lines[start + by] === lines[start + count + by]) by++;
  return by === 0 ? edit : { ...edit, oldStart: oldStart + by, newStart: newStart + by };
}

function findEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const oldCount = before.length - head - tail;
  const newCount = after.length - head - tail;
  if (oldCount === 0 && newCount === 0) return [];
  const whole = { oldStart: head, oldCount, newStart: head, newCount };
  if (oldCount === 0 || newCount === 0) return [whole];
  const oldMiddle = before.slice(head, head + oldCount);
  const newMiddle = after.slice(head, head + newCount);
  const edits =
    editsInPlace(oldMiddle, newMiddle) ??
    searchEdits(oldMiddle, newMiddle) ??
    splitEdits(oldMiddle, newMiddle);
  return edits ? edits.map(edit => moved(edit, head, head)) : [whole];
}

/** Lines with their line breaks; a break at the very end starts no further line. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/**
 * Many lines were changed and none came or went, as after a renaming: where no changed line stands elsewhere in the
 * other text, the places that differ are the shortest script, and nothing need be searched. `undefined`: it is not so.
 */
function editsInPlace(before: readonly string[], after: readonly string[]): readonly LineEdit[] | undefined {
  if (before.length !== after.length) return undefined;
  const edits: LineEdit[] = [];
  const gone = new Set<string>();
  const come = new Set<string>();
  for (let at = 0; at < before.length; at++) {
    const start = at;
    while (at < before.length && before[at] !== after[at]) {
      gone.add(before[at]!);
      come.add(after[at]!);
      at++;
    }
    const count = at - start;
    if (count > 0) edits.push({ oldStart: start, oldCount: count, newStart: start, newCount: count });
  }
  const isElsewhere = after.some((line, at) => gone.has(line) || (line === before[at] && come.has(line)));
  return isElsewhere ? undefined : edits;
}

/** Lines that only one text has can match nothing, so they are left out of the search. */
function searchEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] | undefined {
  const [old, now] = [placesIn(before, new Set(after)), placesIn(after, new Set(before))];
  const lines = (all: readonly string[], places: readonly number[]) => places.map(place => all[place]!);
  const changes = diffArrays(lines(before, old), lines(after, now), { maxEditLength });
  if (!changes) return undefined;
  const edits: LineEdit[] = [];
  let [oldLine, newLine, oldKept, newKept] = [0, 0, 0, 0];
  const edit = (oldEnd: number, newEnd: number) => {
    if (oldEnd > oldLine || newEnd > newLine)
      edits.push({
        oldStart: oldLine,
        oldCount: oldEnd - oldLine,
        newStart: newLine,
        newCount: newEnd - newLine,
      });
    oldLine = oldEnd + 1;
    newLine = newEnd + 1;
  };
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let i = 0; i < count; i++) edit(old[oldKept + i]!, now[newKept + i]!);
    if (!added) oldKept += count;
    if (!removed) newKept += count;
  }
  edit(before.length, after.length);
  return edits;
}

/** Where the lines stand that the other text has, too. */
function placesIn(lines: readonly string[], other: ReadonlySet<string>): readonly number[] {
  const places: number[] = [];
  for (const [place, line] of lines.entries()) if (other.has(line)) places.push(place);
  return places;
}

function moved(edit: LineEdit, oldBy: number, newBy: number): LineEdit {
  return { ...edit, oldStart: edit.oldStart + oldBy, newStart: edit.newStart + newBy };
}

/** `undefined`: there is no line to split at. */
function splitEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] | undefined {
  const anchors = maxRiseLength(uniquePairs(before, after));
  if (anchors.length === 0) return undefined;
  const edits: LineEdit[] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const [oldAnchor, newAnchor] of [...anchors, [before.length, after.length] as const]) {
    const inner = lineEdits(before.slice(oldLine, oldAnchor), after.slice(newLine, newAnchor));
    for (const edit of inner) edits.push(moved(edit, oldLine, newLine));
    oldLine = oldAnchor + 1;
    newLine = newAnchor + 1;
  }
  return edits;
}

/** Places of the lines that stand exactly once in each text, in the order of the first. */
function uniquePairs(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const inNew = onlyPlaces(after);
  return [...onlyPlaces(before)].flatMap(([line, place]) => {
    const other = inNew.get(line);
    return place >= 0 && other !== undefined && other >= 0 ? [[place, other] as const] : [];
  });
}

/** The place of each line, or -1 when it has several. */
function onlyPlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [i, line] of lines.entries()) places.set(line, places.has(line) ? -1 : i);
  return places;
}

/** The longest series of pairs whose second places rise too (patience sorting). */
function maxRiseLength(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [i, pair] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = i;
  }
  const rise: (readonly [number, number])[] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) rise.push(pairs[i]!);
  return rise.reverse();
}
