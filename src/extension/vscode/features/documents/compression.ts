import { commands, TabInputText, type Uri, window, workspace } from 'vscode';
import type { CompressionPlan } from '../../../../protocol/compression.ts';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { closeTabs } from '../../tabs.ts';
import { registerCommands } from '../commands.ts';
import { report } from '../report.ts';
import { findPlan, SummaryFiles, summaryScheme, summaryUri } from './summaryFiles.ts';

const nothing = () => t('There is nothing to compress yet.');

/** Compressing on demand, undoing it, and the summary as a document that can be edited. */
export function registerCompression(session: ActiveSession, panel: PanelView, log: Log): Disposable {
  const store = new DisposableStore();
  const files = new SummaryFiles(session, tellSaved);
  const follow = () => {
    tellContext(session);
    closeClean(files.follow()).catch(error =>
      log.error('The editor of a summary could not be closed', error),
    );
  };
  store.add(workspace.registerFileSystemProvider(summaryScheme, files, { isCaseSensitive: true }));
  store.add(workspace.onDidCloseTextDocument(document => files.forget(document)));
  store.add(session.onDidSwitch(() => tellContext(session)));
  store.add(
    session.onEvent(event => {
      if (!changesSummaries(event)) return;
      follow();
      if (!panel.isVisible) tellHidden(event, panel, log);
    }),
  );
  store.add(
    registerCommands(log, {
      'folio.compressContext': () => compress(session, panel),
      'folio.undoCompression': () => undoNewest(session),
      'folio.editSummary': (compressionId: string) => editSummary(session, compressionId),
    }),
  );
  return store;
}

/** The person's decision is in the panel, so it comes to the front. */
async function compress(session: ActiveSession, panel: PanelView): Promise<void> {
  await session.restore();
  await panel.show('transcript');
  const { present, state } = session;
  // Without a title nothing was asked yet.
  if (!present || !state.title) return tell(nothing());
  if (state.compression?.status === 'running') {
    return tell(t('A summary is being made already. The panel shows it when it is done.'));
  }
  if (state.compression) return tell(t('A summary is made already. Apply or discard it in the panel.'));
  await present.compressions.propose();
}

async function undoNewest(session: ActiveSession): Promise<void> {
  await session.restore();
  const newest = session.state.compressions.at(-1);
  if (!newest) return tell(t('No compression is in force, so there is nothing to undo.'));
  await session.present?.compressions.undo(newest.id);
}

async function editSummary({ present, state }: ActiveSession, compressionId: string): Promise<void> {
  if (!present || !findPlan(state, compressionId)) {
    return tell(t('This summary is not there any more: it was discarded or undone.'));
  }
  const uri = summaryUri(present.id, compressionId);
  // Opened beforehand, so that the encoding that the person has set for files does not count.
  const document = await workspace.openTextDocument(uri, { encoding: 'utf8' });
  await window.showTextDocument(document, { preview: false });
}

function changesSummaries({ type }: SessionEvent): boolean {
  return type.startsWith('compression.') || type === 'session.rewound' || type === 'rewind.undone';
}

/** The panel shows both by itself. */
function tellHidden(event: SessionEvent, panel: PanelView, log: Log): void {
  if (event.type === 'compression.ended' && event.end.kind === 'failed') {
    const { message, nothingToDo } = event.end;
    if (nothingToDo) tell(message);
    else void window.showWarningMessage(message);
  }
  if (event.type !== 'compression.proposed') return;
  window
    .showInformationMessage(
      t('The summary of the earlier chapters is made and waits for your decision.'),
      t('Show'),
    )
    .then(choice => (choice === undefined ? undefined : panel.show('transcript')))
    .then(undefined, error => report(log, t('The panel could not be shown'), error));
}

function tellSaved({ tokens }: CompressionPlan): void {
  const now = t('{0} tokens instead of {1}', tokens.after.toLocaleString(), tokens.before.toLocaleString());
  window.setStatusBarMessage(t('Summary saved: {0}', now), 10_000);
}

function tellContext({ state }: ActiveSession): void {
  void commands.executeCommand('setContext', 'folio.canUndoCompression', state.compressions.length > 0);
}

/**
 * Text that was typed into a summary that is gone stays, so that it can be copied; saving it says why it is refused.
 */
async function closeClean(uris: readonly Uri[]): Promise<void> {
  if (uris.length === 0) return;
  const wanted = new Set(uris.map(uri => uri.toString()));
  await closeTabs(
    ({ input, isDirty }) => input instanceof TabInputText && wanted.has(input.uri.toString()) && !isDirty,
  );
}

function tell(sentence: string): void {
  void window.showInformationMessage(sentence);
}
