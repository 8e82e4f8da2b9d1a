import { type ReviewedFile, type ReviewedHunk, writerNames } from '../../protocol/changes.ts';
import { usePanel } from '../panel/panel.ts';
import { isPending } from '../panel/pending.ts';
import { Card } from '../ui/card.tsx';
import { DiffLines } from './diffLines.tsx';
import type { Decide } from './reviewList.tsx';

/** Lines of a hunk that stand in the panel. */
const shownLines = 8;

export interface ReviewHunkProps {
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
  readonly decide: Decide;
  readonly bringBack: (path: string, hunkId: number) => void;
}

export function ReviewHunk({ file, hunk, decide, bringBack }: ReviewHunkProps) {
  const { act } = usePanel();
  const { path, shown } = file;
  const { id: hunkId, lines, hiddenLines } = hunk;
  const names = writerNames(hunk);
  const place = hunk.cell ?? { oldStart: hunk.baseStart + 1, newStart: hunk.start + 1 };
  const diff = {
    path: shown,
    hunks: [{ ...place, lines }],
    hiddenLines,
  };
  return (
    <Card class={`review-hunk ${hunk.status}`} name={nameOf(file, hunk)}>
      <DiffLines diff={diff} limit={shownLines} />
      <div class="review-foot">
        {isPending(hunk) ? (
          <>
            <Action name="accept" onPress={() => decide('accept', { path, hunkId })}>
              Accept
            </Action>
            <Action name="reject" onPress={() => decide('reject', { path, hunkId })}>
              Reject
            </Action>
          </>
        ) : (
          <>
            <span>Rejected</span>
            <Action name="accept" onPress={() => bringBack(path, hunkId)}>
              Bring back
            </Action>
          </>
        )}
        <Action name="open" onPress={() => act({ type: 'review.open', path, hunkId })}>
          Open
        </Action>
        {names.length > 0 && <span class="quiet">{names.join(', then ')}</span>}
        {hunk.touched && <span class="review-touched">{whyTouched(hunk)}</span>}
      </div>
    </Card>
  );
}

function whyTouched(hunk: ReviewedHunk): string {
  return hunk.gone ? 'No longer applies: other lines stand here now' : 'You changed this';
}

function nameOf({ shown }: ReviewedFile, hunk: ReviewedHunk): string {
  const touched = hunk.touched ? `, ${whyTouched(hunk)}` : '';
  const counts = `${hunk.count} lines added, ${hunk.baseCount} removed`;
  const where = hunk.cell?.place ?? `line ${hunk.start + 1}, ${counts}`;
  return `${shown}, ${where}, ${hunk.status}${touched}`;
}

interface ActionProps {
  readonly name: string;
  readonly onPress: () => void;
  readonly children: string;
}

function Action({ name, onPress, children }: ActionProps) {
  return (
    <button type="button" class="link-button" data-action={name} onClick={onPress}>
      {children}
    </button>
  );
}
