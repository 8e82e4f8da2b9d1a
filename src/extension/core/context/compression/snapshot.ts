/* Parses the summariser's answer: one `<state_snapshot>` element with a goal. */

import { defuseTags } from '../../../base/untrusted.ts';

const opening = '<state_snapshot>';
const closing = '</state_snapshot>';

/** Returns the last complete snapshot of an answer, without the reasoning; `undefined` if there is none. */
export function findSnapshot(answer: string): string | undefined {
  const end = answer.lastIndexOf(closing);
  // The summarised text may mention snapshots: the last opening tag followed by a goal counts.
  for (let start = answer.lastIndexOf(opening, end); start >= 0 && end >= 0; ) {
    const body = answer.slice(start + opening.length, end);
    if (hasGoal(body)) return `${opening}\n${defuseTags(body.trim(), 'state_snapshot')}\n${closing}`;
    if (start === 0) break;
    start = answer.lastIndexOf(opening, start - 1);
  }
  return undefined;
}

/** Returns the snapshot that a user edited. Throws a sentence unless the text is exactly one snapshot. */
export function requireSnapshot(text: string): string {
  const trimmed = text.trim();
  const count = trimmed.split(/<\/?state_snapshot>/).length - 1;
  const isWhole = trimmed.startsWith(opening) && trimmed.endsWith(closing);
  if (!isWhole || count !== 2) {
    throw new Error(`The summary must be one ${opening} element with nothing around it.`);
  }
  if (!hasGoal(trimmed)) throw new Error('The summary needs an <overall_goal> that says something.');
  return trimmed;
}

function hasGoal(body: string): boolean {
  const goal = /<overall_goal>([\s\S]*?)<\/overall_goal>/.exec(body)?.[1];
  return goal !== undefined && goal.replace(/<!--[\s\S]*?-->/g, '').trim() !== '';
}
