/*
 * Finds where to cut the history. The newest 30 % by characters are kept. The cut moves forward to the next position
 * with two valid halves, or to a nearby start of a chapter:
 *
 *   summarised ────────────────────────────┐            ┌─────────── kept
 *   user: prompt ─► model: calls ─► user: results ─► model: answer ─► user: prompt
 *                └ valid         ✗ within a call    └ valid        └ valid
 *
 * The shares are those of the reference agent (`context/chatCompressionService.ts`). It cuts only before prompts, but
 * one prompt may take hundreds of steps.
 */

import type { Message } from '../../../../protocol/events.ts';
import { callsOf } from '../../history/history.ts';

const keptShare = 0.3;
const nearShare = 0.1;

/**
 * @param from first index that may be cut; an earlier compression lies before it
 * @param chapters indices where chapters begin
 * @returns the index of the first kept message, `undefined` if there is no valid cut
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

/** If the newest message alone exceeds the kept share, summarises all of an answer, else as much as possible. */
function lastCut(messages: readonly Message[], from: number, valid: readonly number[]): number | undefined {
  const last = messages.at(-1);
  const isAnswer = last?.role === 'model' && callsOf(last).length === 0;
  return isAnswer && messages.length > from ? messages.length : valid.at(-1);
}

/** Results follow their calls directly, so a cut is valid unless the message before has calls. */
function isCut(messages: readonly Message[], index: number): boolean {
  return index > 0 && callsOf(messages[index - 1]!).length === 0;
}

function charactersBefore(messages: readonly Message[]): readonly number[] {
  const before = [0];
  for (const message of messages) before.push(before.at(-1)! + JSON.stringify(message).length);
  return before;
}
