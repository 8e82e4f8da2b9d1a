import {
  describeCounts,
  describeFileMode,
  type ReviewedFile,
  type ReviewedHunk,
  sessionTouching,
  writerNames,
} from '../../protocol/changes.ts';
import type { PanelReviewPlace } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import { isPending } from '../../protocol/pending.ts';
import { usePanel } from '../panel/panel.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { Card } from '../ui/card.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { DiffLines } from './diffLines.tsx';

export type DecideHunk = (kind: 'accept' | 'reject', place: PanelReviewPlace) => void;

/** Lines of a hunk that the panel shows. */
const shownLines = 8;

interface ReviewHunkProps {
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
  readonly group: PanelReviewPlace;
  readonly decide: DecideHunk;
  readonly bringBack: (path: string, hunkId: number) => void;
}

export function ReviewHunk({ file, hunk, group, decide, bringBack }: ReviewHunkProps) {
  const { act } = usePanel();
  const { path } = file;
  const labels = usePathLabels();
  const { id: hunkId, lines, hiddenLines } = hunk;
  const writers = writerNames(hunk);
  const place = hunk.cell ?? { oldStart: hunk.baseStart + 1, newStart: hunk.start + 1 };
  const diff = {
    path: file.shown,
    hunks: [{ ...place, lines }],
    hiddenLines,
  };
  return (
    <Card class={`review-hunk ${hunk.status}`} name={nameOf(labels.shown(file.shown), file.by, hunk)}>
      {hunk.executable !== undefined && <p>{t('The file {0}.', describeFileMode(hunk.executable))}</p>}
      {lines.length > 0 && <DiffLines diff={diff} limit={shownLines} />}
      <div class="review-foot">
        {isPending(hunk) ? (
          <>
            <Action name="accept" onPress={() => decide('accept', { path, hunkId })}>
              {t('Accept')}
            </Action>
            <Action name="reject" onPress={() => decide('reject', { path, hunkId })}>
              {t('Reject')}
            </Action>
          </>
        ) : (
          <>
            <span>{t('Rejected')}</span>
            <Action name="accept" onPress={() => bringBack(path, hunkId)}>
              {t('Bring back')}
            </Action>
          </>
        )}
        <Action name="open" onPress={() => act({ type: 'review.open', path, hunkId })}>
          {t('Open')}
        </Action>
        {hunk.touched && <span class="review-touched">{whyTouched(hunk)}</span>}
        {writers.length > (group.writer === undefined ? 0 : 1) && (
          <span class="review-writers ellipsis" title={thenWriters(writers, '\n')}>
            {thenWriters(writers, ', ')}
          </span>
        )}
      </div>
    </Card>
  );
}

function whyTouched(hunk: ReviewedHunk): string {
  if (hunk.gone) return t('No longer applies: these lines have changed');
  const session = sessionTouching(hunk);
  return session === undefined ? t('You changed this') : t('Changed by {0}', session);
}

function nameOf(shown: string, by: ReviewedFile['by'], hunk: ReviewedHunk): string {
  const touched = hunk.touched ? `, ${whyTouched(hunk)}` : '';
  const status = isPending(hunk) ? t('pending') : t('rejected');
  return `${shown}, ${placeOf(hunk, by)}, ${status}${touched}`;
}

/** Returns for example `replace, then npm run format`. */
function thenWriters([first = '', ...others]: readonly string[], between: string): string {
  return [first, ...others.map(writer => t('then {0}', writer))].join(between);
}

function placeOf(hunk: ReviewedHunk, by: ReviewedFile['by']): string {
  if (hunk.executable !== undefined) return describeFileMode(hunk.executable);
  if (by === 'file') return t('the whole file');
  const counts = describeCounts({ added: hunk.count, removed: hunk.baseCount });
  return hunk.cell?.place ?? t('line {0}, {1}', hunk.start + 1, counts);
}

interface ActionProps {
  readonly name: string;
  readonly onPress: () => void;
  readonly children: string;
}

function Action({ name, onPress, children }: ActionProps) {
  return (
    <LinkButton data-action={name} onClick={onPress}>
      {children}
    </LinkButton>
  );
}
