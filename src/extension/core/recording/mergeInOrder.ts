import { type EmittedEvent, eventOf } from '../../../protocol/fold/agents.ts';

/**
 * Returns the most events with ascending numbers. Journals are ascending, so any other line is damaged, duplicated or
 * misplaced. A single number that is far too high must not hide all later events.
 *
 *     11  12  97  14  15      without 97
 *     11  12  12  13          without one 12
 */
function inOrder(events: readonly EmittedEvent[]): readonly EmittedEvent[] {
  const numbers = events.map(numberOf);
  if (numbers.every((seq, at) => at === 0 || seq > numbers[at - 1]!)) return events;
  // Longest increasing subsequence: `ends[n]` is the index of the smallest number that ends a run of n + 1.
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, seq] of numbers.entries()) {
    const length = lengthBelow(ends, seq, numbers);
    before.set(at, ends[length - 1]);
    ends[length] = at;
  }
  const kept: EmittedEvent[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) kept.push(events[at]!);
  return kept.reverse();
}

/** Length of the longest run that this number can extend. */
function lengthBelow(ends: readonly number[], seq: number, numbers: readonly number[]): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[ends[middle]!]! < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges events of several journals with common numbering. */
export function mergeInOrder(journals: readonly (readonly EmittedEvent[])[]): readonly EmittedEvent[] {
  const ordered = journals.map(inOrder);
  if (ordered.length === 1) return ordered[0]!;
  // The same number in two journals is damage, too.
  return inOrder(ordered.flat().sort((a, b) => numberOf(a) - numberOf(b)));
}

function numberOf(reported: EmittedEvent): number {
  return eventOf(reported).seq;
}
