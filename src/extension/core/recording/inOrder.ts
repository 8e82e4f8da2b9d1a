import type { SessionEvent } from '../../../protocol/events.ts';

/**
 * The most events whose numbers rise. Numbers rise in a journal, so one that does not fit is damaged, there twice or in
 * the wrong place, and a number that is far too high must not hide all that comes behind it.
 *
 *     11  12  97  14  15      without 97
 *     11  12  12  13          without one 12
 */
export function inOrder<E extends Pick<SessionEvent, 'seq'>>(events: readonly E[]): readonly E[] {
  if (events.every((event, at) => at === 0 || event.seq > events[at - 1]!.seq)) return events;
  // The longest rising subsequence: `ends[n]` is the place of the smallest number that ends a run of n + 1.
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, { seq }] of events.entries()) {
    const length = lengthBelow(ends, seq, events);
    before.set(at, ends[length - 1]);
    ends[length] = at;
  }
  const kept: E[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) kept.push(events[at]!);
  return kept.reverse();
}

/** How long a run may be that this number goes on with. */
function lengthBelow(
  ends: readonly number[],
  seq: number,
  events: readonly Pick<SessionEvent, 'seq'>[],
): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[ends[middle]!]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
