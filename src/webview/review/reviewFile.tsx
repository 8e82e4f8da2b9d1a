import { describeCounts, type ReviewedFile } from '../../protocol/changes.ts';
import type { PanelReviewPlace } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import { isPending, totalPending } from '../../protocol/pending.ts';
import { usePanel } from '../panel/panel.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { Card } from '../ui/card.tsx';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';
import { ChangeCounts } from './changeCounts.tsx';
import { FileName } from './fileName.tsx';
import type { DecideHunk } from './reviewHunk.tsx';
import { ReviewHunk } from './reviewHunk.tsx';

/** Maximum number of hunks shown. The editor shows all. */
const unfolded = 20;

const changeWords = (): Readonly<Record<ReviewedFile['change'], string>> => ({
  created: t('new'),
  modified: t('changed'),
  deleted: t('deleted'),
});

interface ReviewFileProps {
  readonly file: ReviewedFile;
  /** Place of the group that contains the file. */
  readonly place: PanelReviewPlace;
  readonly isAlone: boolean;
  readonly decide: DecideHunk;
  readonly bringBack: (path: string, hunkId: number) => void;
}

export function ReviewFile({ file, place, isAlone, decide, bringBack }: ReviewFileProps) {
  const { act } = usePanel();
  const [isOpen, toggle] = useCardOpen(
    `review ${place.chapterId ?? place.writer ?? ''} ${file.path}`,
    isAlone,
  );
  const { files, ...totals } = totalPending([file]);
  const executable = file.hunks.find(hunk => isPending(hunk) && hunk.executable !== undefined)?.executable;
  const counts = { ...totals, executable };
  const isRejected = files === 0;
  const { path, hunks } = file;
  const shown = usePathLabels().shown(file.shown);
  const isWhole = file.by === 'file' && executable === undefined;
  const changed = isWhole ? changeWords()[file.change] : describeCounts(counts);
  const name = isRejected ? t('{0}, rejected', shown) : t('{0}, {1}, pending', shown, changed);
  return (
    <Card class={isRejected ? 'review-file rejected' : 'review-file'} name={name}>
      <div class="review-row">
        <button type="button" class="row" data-toggle aria-expanded={isOpen} title={shown} onClick={toggle}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Icon name="file" class="quiet" />
          <FileName path={shown} />
          {(isWhole || file.change === 'created') && (
            <span class={isWhole ? 'quiet' : 'file-change quiet'}>{changeWords()[file.change]}</span>
          )}
          {isRejected && <span class="quiet">{t('rejected')}</span>}
          {!isRejected && !isWhole && <ChangeCounts {...counts} />}
        </button>
        <span class="review-actions">
          <IconButton
            icon="go-to-file"
            label={t('Open {0}', shown)}
            onPress={() => act({ type: 'review.open', path })}
          />
          {!isRejected && (
            <>
              <IconButton
                icon="check"
                label={t('Accept {0}', shown)}
                action="accept"
                onPress={() => decide('accept', { ...place, path })}
              />
              <IconButton
                icon="close"
                label={t('Reject {0}', shown)}
                action="reject"
                onPress={() => decide('reject', { ...place, path })}
              />
            </>
          )}
        </span>
      </div>
      {isOpen && (
        <div class="review-hunks">
          {hunks.slice(0, unfolded).map(hunk => (
            <ReviewHunk
              key={hunk.id}
              file={file}
              hunk={hunk}
              group={place}
              decide={decide}
              bringBack={bringBack}
            />
          ))}
          {hunks.length > unfolded && (
            <p class="quiet">
              {plural(
                hunks.length - unfolded,
                'one: {0} more change in the file. | other: {0} more changes in the file.',
              )}
            </p>
          )}
        </div>
      )}
    </Card>
  );
}
