import { window } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { ReviewLedger } from '../../core/changes/ledger.ts';
import type { HunkSelection, ReviewFailure } from '../../core/changes/reviewPlace.ts';
import type { Log } from '../../platform/log.ts';
import { reportFailure } from '../features/report.ts';

/** Opens what the user is asked about. */
export interface RejectPorts {
  readonly openDiff: (path: string, hunkId: number | undefined) => Promise<void>;
  readonly log: Log;
}

/** Rejects changes. Reports those that cannot be undone, with what to do about them. */
export async function rejectSelection(
  ledger: ReviewLedger | undefined,
  place: HunkSelection,
  ports: RejectPorts,
): Promise<void> {
  if (!ledger) return;
  reportProblems(await ledger.reject(place), ledger, ports);
}

/** Does not wait: the user may answer later, and nothing is lost until then. */
export function reportProblems(
  problems: readonly ReviewFailure[],
  ledger: ReviewLedger,
  ports: RejectPorts,
): void {
  for (const { message } of problems.filter(({ kind }) => kind === 'failed'))
    void window.showErrorMessage(message);
  const touched = problems.filter(({ kind }) => kind === 'touched');
  if (touched.length > 0) {
    askAboutTouched(touched, ledger, ports).catch(error =>
      reportFailure(ports.log, t('The change was not undone'), error),
    );
  }
}

async function askAboutTouched(
  problems: readonly ReviewFailure[],
  ledger: ReviewLedger,
  ports: RejectPorts,
): Promise<void> {
  const [show, take, keep] = [t('Show in diff'), t('Undo My Edits Too'), t('Keep')];
  const hunks = problems.flatMap(({ path, hunkIds }) => hunkIds.map(hunkId => ({ path, hunkId })));
  const question =
    hunks.length === 1
      ? t('{0} It was not changed.', problems[0]!.message)
      : plural(
          hunks.length,
          'other: You edited {0} changes. Undoing them would also remove your edits, so they stay.',
        );
  const choice = await window.showWarningMessage(question, show, take, keep);
  if (choice === show) await ports.openDiff(hunks[0]!.path, hunks[0]!.hunkId);
  if (choice !== take) return;
  for (const place of hunks) {
    const left = await ledger.reject(place, 'evenTouched');
    for (const { message } of left) void window.showErrorMessage(message);
  }
}
