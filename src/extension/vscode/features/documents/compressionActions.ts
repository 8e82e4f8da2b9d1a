/* Commands and events about compression. Loaded on first use. */

import { window, workspace } from 'vscode';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { notify, reportFailure } from '../report.ts';
import { findCompressionPlan, summaryUri } from './summaryFiles.ts';

/**
 * Focuses the panel, where the user decides.
 * @param how `applied`: takes effect without a decision; the panel then offers *Undo*
 */
export async function compress(session: ActiveSession, panel: PanelView, how: unknown): Promise<void> {
  await session.restore();
  await panel.show('transcript');
  const { present, state } = session;
  // Without a title there was no prompt yet.
  if (!present || !state.title) return notify(t('There is nothing to compress yet.'));
  if (state.compression?.status === 'running') {
    return notify(t('A summary is being made already. The panel shows it when it is done.'));
  }
  if (state.compression) return notify(t('A summary is ready. Apply or discard it in the panel.'));
  await present.compressions.propose();
  const made = present.state.compression;
  if (how === 'applied' && made?.status === 'proposed') present.compressions.apply(made.id);
}

export async function undoNewestCompression(session: ActiveSession): Promise<void> {
  await session.restore();
  const newest = session.state.compressions.at(-1);
  if (!newest) return notify(t('No compression is in force, so there is nothing to undo.'));
  await session.present?.compressions.undo(newest.id);
}

export async function editSummary({ present, state }: ActiveSession, compressionId: string): Promise<void> {
  if (!present || !findCompressionPlan(state, compressionId)) {
    return notify(t('This summary no longer exists: it was discarded or undone.'));
  }
  const uri = summaryUri(present.id, compressionId);
  // Opened explicitly as UTF-8, to ignore the user's encoding settings.
  const document = await workspace.openTextDocument(uri, { encoding: 'utf8' });
  await window.showTextDocument(document, { preview: false });
}

/** Notifies of a failed or proposed compression. Call it only while the panel, which shows both, is hidden. */
export function notifyCompression(
  event: SessionEvent,
  session: ActiveSession,
  panel: PanelView,
  log: Log,
): void {
  const offer = (question: Thenable<string | undefined>, accepted: () => Promise<void>, failure: string) =>
    void question
      .then(choice => (choice === undefined ? undefined : accepted()))
      .then(undefined, error => reportFailure(log, failure, error));
  if (event.type === 'compression.ended' && event.end.kind === 'failed') {
    const { message, nothingToDo } = event.end;
    if (nothingToDo) notify(message);
    else
      offer(
        window.showWarningMessage(message, t('Retry')),
        () => compress(session, panel, undefined),
        t('The context could not be compressed'),
      );
  }
  if (event.type === 'compression.proposed')
    offer(
      window.showInformationMessage(
        t('The summary of the earlier chapters is made and waits for your decision.'),
        t('Show'),
      ),
      async () => panel.show('transcript'),
      t('The panel could not be shown'),
    );
}
