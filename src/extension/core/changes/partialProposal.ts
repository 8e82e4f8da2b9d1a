import type { FileDiff } from '../../../protocol/asks.ts';
import { applyAgentWrite, beginReview, changesTo, presentText, rejectHunk } from '../../review/fileReview.ts';
import type { Hunk } from '../../review/hunk.ts';
import { unitsOf } from '../../review/units.ts';

/**
 * Applies only the accepted hunks of a proposal.
 * @param diff as the user saw it; another version may have merged several changes into one hunk
 * @param accepted indices of hunks
 */
export function applyHunks(
  before: string | null,
  after: string,
  diff: FileDiff,
  accepted: readonly number[],
): string {
  const by = unitsOf(diff.path);
  const begun = beginReview(before, by);
  const review = applyAgentWrite(begun, changesTo(begun, after), '');
  if (diff.hunks.length === review.hunks.length) {
    const left = review.hunks.filter((_, index) => !accepted.includes(index));
    return presentText(left.reduce((each, { id }) => rejectHunk(each, id) ?? each, review));
  }
  const taken = accepted.flatMap(index => diff.hunks[index] ?? []);
  const isTaken = ({ start, count }: Hunk) =>
    taken.some(hunk => {
      const first = hunk.newStart - 1;
      const lines = hunk.lines.filter(line => line.kind !== 'removed').length;
      return start >= first && start + count <= first + lines;
    });
  const left = review.hunks.filter(hunk => !isTaken(hunk));
  return presentText(left.reduce((each, { id }) => rejectHunk(each, id) ?? each, review));
}
