import { diffArrays } from 'diff';

/** Lines `oldStart … oldStart + oldCount` became lines `newStart … newStart + newCount`, all from 0. */
export interface LineEdit {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/**
 * The search for the shortest edit script is quadratic in the number of changed lines. Beyond this number the texts are
 * first split at lines that are unique in each (as in patience diff). Parts without such a line count as replaced, as a
 * user would say.
 */
const maxEditLength = 1000;

/** Returns the edits from `before` to `after`, in order, with at least one equal line between two edits. */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const edits = findEdits(before, after);
  return edits.map((edit, i) => slid(edit, before, after, edits[i + 1]));
}

/**
 * A pure insertion or removal can often be placed in several ways: of `} { }` after `}` the new lines are `} {` or `{
 * }`. The last way begins a block where a user expects it.
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

/** Splits into lines with their breaks. A final break starts no further line. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Ignores the kind of line breaks, as editors do. */
export function splitLinesAsLf(text: string): readonly string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}

/**
 * If many lines changed in place, as after a rename, and no changed line occurs elsewhere in the other text, the
 * differing lines are the shortest script without a search. `undefined` otherwise.
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

/** Lines of only one text match nothing, so they are excluded from the search. */
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

/** Returns the indexes of lines that the other text has, too. */
function placesIn(lines: readonly string[], other: ReadonlySet<string>): readonly number[] {
  const places: number[] = [];
  for (const [place, line] of lines.entries()) if (other.has(line)) places.push(place);
  return places;
}

function moved(edit: LineEdit, oldBy: number, newBy: number): LineEdit {
  return { ...edit, oldStart: edit.oldStart + oldBy, newStart: edit.newStart + newBy };
}

/** Returns `undefined` if there is no line to split at. */
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

/** Returns index pairs of lines that occur exactly once in each text, in the order of the first. */
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

/** Returns the index of each line, or -1 if it is not unique. */
function onlyPlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [i, line] of lines.entries()) places.set(line, places.has(line) ? -1 : i);
  return places;
}

/** Returns the longest series of pairs with rising second indexes (patience sorting). */
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
