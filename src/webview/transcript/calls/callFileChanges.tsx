import type { ReviewedFile } from '../../../protocol/changes.ts';
import type { Intention } from '../../../protocol/intentions.ts';
import { plural, t } from '../../../protocol/language.ts';
import type { PanelCall, PanelCallStatus, PanelState } from '../../../protocol/panel/panelState.ts';
import type { FileCounts } from '../../../protocol/values.ts';
import { iterateCalls } from '../../panel/iterateCalls.ts';
import { usePanel } from '../../panel/panel.ts';
import { usePathLabels } from '../../panel/pathLabels.ts';
import { ChangeCounts } from '../../review/changeCounts.tsx';
import { FileName } from '../../review/fileName.tsx';
import { UndoneMark } from '../../review/undoneMark.tsx';
import { firstOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { totalFiles } from '../../ui/totals.ts';
import { useCardOpen } from '../../ui/useCardOpen.ts';
import { outcomeOf } from './outcome.ts';

interface CallFileChangesProps {
  readonly call: PanelCall;
  readonly status: Extract<PanelCallStatus, { kind: 'ended' }>;
}

/** Shows why an ended call failed and which files it changed, also while folded. */
export function CallFileChanges({ call, status }: CallFileChangesProps) {
  const { store } = usePanel();
  const { touched = [], uncovered } = status.display;
  const { reason } = outcomeOf(call);
  return (
    <>
      {reason && <p class="call-reason">{reason}</p>}
      {touched.length > 0 && <TouchedFiles call={call} files={touched} />}
      {uncovered && isFirstToSay(call.id, uncovered, store.session.peek()) && (
        <p class="call-note">
          <Icon name="info" />
          <span>{uncovered}</span>
        </p>
      )}
    </>
  );
}

/** Returns true if no earlier call of the chapter has the same sentence, which is shown once. */
function isFirstToSay(callId: string, sentence: string, session: PanelState | undefined): boolean {
  for (const { items } of session?.chapters.toReversed() ?? []) {
    let first: string | undefined;
    for (const { call } of iterateCalls(items)) {
      if (call.status.kind !== 'ended') continue;
      if (call.status.display.uncovered === sentence) first ??= call.id;
      if (call.id === callId) return first === callId;
    }
  }
  return true;
}

const listed = 50;

/** Finds the first pending hunk of a call in a file. */
function findWritten(
  reviews: readonly ReviewedFile[],
  path: string,
  callId: string,
): Intention<'review.open'> | undefined {
  const file = reviews.find(({ shown }) => shown === path);
  const hunk = file?.hunks.find(
    ({ status, writers = [] }) =>
      status === 'pending' && writers.some(writer => 'callId' in writer && writer.callId === callId),
  );
  return file && hunk && { type: 'review.open', path: file.path, hunkId: hunk.id };
}

function TouchedFiles({ call, files }: { readonly call: PanelCall; readonly files: readonly FileCounts[] }) {
  const { act, store } = usePanel();
  const { id: callId } = call;
  const [isOpen, toggle] = useCardOpen(`${callId} touched`, false);
  const totals = totalFiles(files);
  const shown = firstOf(files, listed);
  const labels = usePathLabels();
  const reviewOf = (path: string) => findWritten(store.reviews.value, path, callId);
  const titleOf = (path: string) =>
    reviewOf(path) ? t('Review {0}', labels.shown(path)) : t('Open {0}', labels.shown(path));
  const open = (path: string) => act(reviewOf(path) ?? { type: 'file.open', path });
  return (
    <div class="touched">
      <button type="button" class="row quiet" aria-expanded={isOpen} onClick={toggle}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />
        <span class="ellipsis">
          {plural(totals.files, 'one: Changed {0} file | other: Changed {0} files')}{' '}
          <ChangeCounts {...totals} />
        </span>
        <UndoneMark call={call} />
      </button>
      {isOpen && (
        <ul>
          {shown.map(({ path, ...counts }) => (
            <li key={path}>
              <button type="button" class="row" title={titleOf(path)} onClick={() => open(path)}>
                <Icon name="file" class="quiet" />
                <FileName path={labels.shown(path)} />
                <ChangeCounts {...counts} />
              </button>
            </li>
          ))}
          {files.length > shown.length && (
            <li class="quiet">
              {plural(files.length - shown.length, 'one: {0} more file | other: {0} more files')}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
