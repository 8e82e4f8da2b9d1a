import type { ReviewedFile } from '../../protocol/changes.ts';
import { usePanel } from '../panel/panel.ts';
import { totalPending } from '../panel/pending.ts';
import { Card } from '../ui/card.tsx';
import { IconButton } from '../ui/controls.tsx';
import { plural } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { useCard } from '../ui/useCard.ts';
import { ChangeCounts } from './changeCounts.tsx';
import { FileName } from './fileName.tsx';
import { ReviewHunk } from './reviewHunk.tsx';
import type { Decide } from './reviewList.tsx';

/** So many hunks unfold here; the editor shows them all. */
const unfolded = 20;

export interface ReviewFileProps {
  readonly file: ReviewedFile;
  /** The chapter under which the file stands, where files are grouped by chapter. */
  readonly chapterId: string | undefined;
  readonly isAlone: boolean;
  readonly decide: Decide;
  readonly bringBack: (path: string, hunkId: number) => void;
}

export function ReviewFile({ file, chapterId, isAlone, decide, bringBack }: ReviewFileProps) {
  const { act } = usePanel();
  const [isOpen, toggle] = useCard(`review ${chapterId ?? ''} ${file.path}`, isAlone);
  const { files, added, removed } = totalPending([file]);
  const isRejected = files === 0;
  const { path, shown, hunks } = file;
  const name = isRejected
    ? `${shown}, rejected`
    : `${shown}, ${plural(added, file.by === 'cells' ? 'cell' : 'line')} added, ${removed} removed, pending`;
  return (
    <Card class={isRejected ? 'review-file rejected' : 'review-file'} name={name}>
      <div class="review-row">
        <button type="button" class="row" data-toggle aria-expanded={isOpen} title={shown} onClick={toggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Icon name="file" class="quiet" />
          <FileName path={shown} />
          {file.change === 'created' && <span class="quiet">new</span>}
          {isRejected ? (
            <span class="quiet">rejected</span>
          ) : (
            <ChangeCounts added={added} removed={removed} />
          )}
        </button>
        <span class="review-actions">
          <IconButton
            icon="go-to-file"
            label={`Open ${shown}`}
            onPress={() => act({ type: 'review.open', path })}
          />
          {!isRejected && (
            <>
              <IconButton
                icon="check"
                label={`Accept ${shown}`}
                action="accept"
                onPress={() => decide('accept', { path, chapterId })}
              />
              <IconButton
                icon="close"
                label={`Reject ${shown}`}
                action="reject"
                onPress={() => decide('reject', { path, chapterId })}
              />
            </>
          )}
        </span>
      </div>
      {isOpen && (
        <div class="review-hunks">
          {hunks.slice(0, unfolded).map(hunk => (
            <ReviewHunk key={hunk.id} file={file} hunk={hunk} decide={decide} bringBack={bringBack} />
          ))}
          {hunks.length > unfolded && (
            <p class="quiet">{plural(hunks.length - unfolded, 'more change')} in the file.</p>
          )}
        </div>
      )}
    </Card>
  );
}
