import type { FileCounts } from '../../../protocol/events.ts';
import type { CallItem, CallStatus } from '../../../protocol/state.ts';
import { usePanel } from '../../panel.ts';
import { ChangeCounts } from '../../review/changeCounts.tsx';
import { FileName } from '../../review/fileName.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { useCard } from '../../ui/useCard.ts';
import { totalFiles } from '../totals.ts';

export interface AftermathProps {
  readonly call: CallItem;
  readonly status: Extract<CallStatus, { kind: 'ended' }>;
}

/** What is said of an ended call also while it is folded: files that it changed, and what did not happen. */
export function Aftermath({ call, status }: AftermathProps) {
  const { summary, touched = [], uncovered } = status.display;
  return (
    <>
      {isFailedEdit(call) && <p class="call-reason">{summary}</p>}
      {touched.length > 0 && <TouchedFiles callId={call.id} files={touched} />}
      {uncovered && (
        <p class="call-note">
          <Icon name="info" />
          <span>{uncovered}</span>
        </p>
      )}
    </>
  );
}

/** Proposals are written whole or not at all. */
export function isFailedEdit({ effect, status }: CallItem): boolean {
  return effect === 'edit' && status.kind === 'ended' && status.outcome === 'failed';
}

/** So many files of a command are listed. */
const listed = 50;

function TouchedFiles(props: { readonly callId: string; readonly files: readonly FileCounts[] }) {
  const { act } = usePanel();
  const { callId, files } = props;
  const [isOpen, toggle] = useCard(`${callId} touched`, false);
  const totals = totalFiles(files);
  return (
    <div class="touched">
      <button type="button" class="row quiet" aria-expanded={isOpen} onClick={toggle}>
        <span class="ellipsis">
          Changed {plural(totals.files, 'file')}{' '}
          <ChangeCounts added={totals.added} removed={totals.removed} />
        </span>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />
      </button>
      {isOpen && (
        <ul>
          {files.slice(0, listed).map(({ path, added, removed }) => (
            <li key={path}>
              <button type="button" class="row" onClick={() => act({ type: 'file.open', path })}>
                <Icon name="file" class="quiet" />
                <FileName path={path} />
                <ChangeCounts added={added} removed={removed} />
              </button>
            </li>
          ))}
          {files.length > listed && <li class="quiet">{plural(files.length - listed, 'more file')}</li>}
        </ul>
      )}
    </div>
  );
}
