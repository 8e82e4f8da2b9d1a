import { window } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { ReviewLedger } from '../../core/changes/ledger.ts';
import type { ReviewPlace, ReviewTrouble } from '../../core/changes/reviewPlace.ts';
import type { Log } from '../../platform/log.ts';
import { report } from '../features/report.ts';

/** Where a person can look at what they are asked about. */
export interface RejectPorts {
  readonly openDiff: (path: string, hunkId: number | undefined) => Promise<void>;
  readonly log: Log;
}

/** Takes back; what cannot be taken back is told, with what can be done about it. */
export async function rejectPlace(
  ledger: ReviewLedger | undefined,
  place: ReviewPlace,
  ports: RejectPorts,
): Promise<void> {
  if (!ledger) return;
  tellTroubles(await ledger.reject(place), ledger, ports);
}

/** Returns at once: the person answers when they like, and nothing is lost until then. */
export function tellTroubles(
  troubles: readonly ReviewTrouble[],
  ledger: ReviewLedger,
  ports: RejectPorts,
): void {
  for (const { message } of troubles.filter(({ kind }) => kind === 'failed'))
    void window.showErrorMessage(message);
  const touched = troubles.filter(({ kind }) => kind === 'touched');
  if (touched.length > 0) {
    askAboutTouched(touched, ledger, ports).catch(error =>
      report(ports.log, t('The change was not taken back'), error),
    );
  }
}

async function askAboutTouched(
  troubles: readonly ReviewTrouble[],
  ledger: ReviewLedger,
  ports: RejectPorts,
): Promise<void> {
  const [show, take, keep] = [t('Show in diff'), t('Take back mine too'), t('Keep')];
  const hunks = troubles.flatMap(({ path, hunkIds }) => hunkIds.map(hunkId => ({ path, hunkId })));
  const question =
    hunks.length === 1
      ? t('{0} It stays for now.', troubles[0]!.message)
      : plural(
          hunks.length,
          'other: You wrote into {0} changes. Taking them back would take your text too, so they stay.',
        );
  const choice = await window.showWarningMessage(question, show, take, keep);
  if (choice === show) await ports.openDiff(hunks[0]!.path, hunks[0]!.hunkId);
  if (choice !== take) return;
  for (const place of hunks) {
    const left = await ledger.reject(place, 'evenTouched');
    for (const { message } of left) void window.showErrorMessage(message);
  }
}
