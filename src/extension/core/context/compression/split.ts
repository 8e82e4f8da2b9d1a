/*
 * Where the history is cut in two. The newest 30 % by characters are kept; the cut moves forward to the next place
 * where both halves are valid, or to a chapter's beginning when one lies near:
 *
 *   summarised ────────────────────────────┐            ┌─────────── kept
 *   user: prompt ─► model: calls ─► user: results ─► model: answer ─► user: prompt
 *                └ valid         ✗ within a call    └ valid        └ valid
 *
 * The shares are those of the reference agent (`context/chatCompressionService.ts`); it cuts before prompts only, but
 * one prompt may run for hundreds of steps.
 */

import type { Message } from '../../../../protocol/events.ts';
import { callsOf } from '../../history/history.ts';

const keptShare = 0.3;
const nearShare = 0.1;

/**
 * @param from where the first cut may not lie: before it stands what an earlier compression left
 * @param chapters where chapters begin
 * @returns the index of the first message that is kept, `undefined` when there is no place to cut
 */
export function findSplit(
  messages: readonly Message[],
  from: number,
  chapters: readonly number[],
): number | undefined {
  const before = charactersBefore(messages);
  const total = before[messages.length]!;
  const valid = messages.flatMap((_, index) => (index > from && isCut(messages, index) ? [index] : []));
  const cut =
    valid.find(index => before[index]! >= (1 - keptShare) * total) ?? lastCut(messages, from, valid);
  if (cut === undefined) return undefined;
  const distance = (index: number) => Math.abs(before[index]! - before[cut]!);
  const near = valid
    .filter(index => chapters.includes(index) && distance(index) <= nearShare * total)
    .sort((a, b) => distance(a) - distance(b));
  return near[0] ?? cut;
}

/** The newest message is longer than what is kept: all of it goes when it is an answer, else as much as can. */
function lastCut(messages: readonly Message[], from: number, valid: readonly number[]): number | undefined {
  const last = messages.at(-1);
  const isAnswer = last?.role === 'model' && callsOf(last).length === 0;
  return isAnswer && messages.length > from ? messages.length : valid.at(-1);
}

/** Every call before this message has its result before it too: results come right after their calls. */
function isCut(messages: readonly Message[], index: number): boolean {
  return index > 0 && callsOf(messages[index - 1]!).length === 0;
}

function charactersBefore(messages: readonly Message[]): readonly number[] {
  const before = [0];
  for (const message of messages) before.push(before.at(-1)! + JSON.stringify(message).length);
  return before;
}
