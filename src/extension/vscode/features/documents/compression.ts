import { commands, Disposable, TabInputText, type Uri, window, workspace } from 'vscode';
import type { CompressionPlan } from '../../../../protocol/compression.ts';
import type { SessionEvent } from '../../../../protocol/events.ts';
import { t } from '../../../../protocol/language.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { closeTabs } from '../../tabs.ts';
import { registerCommands } from '../commands.ts';
import { SummaryFiles, summaryScheme } from './summaryFiles.ts';

const loadActions = () => import('./compressionActions.ts');

/** Compression on demand, its undo, and the summary as an editable document. */
export function registerCompression(session: ActiveSession, panel: PanelView, log: Log): Disposable {
  const files = new SummaryFiles(session, reportSaved);
  const follow = () => {
    reportContext(session);
    closeClean(files.follow()).catch(error =>
      log.error('The editor of a summary could not be closed', error),
    );
  };
  return Disposable.from(
    workspace.registerFileSystemProvider(summaryScheme, files, { isCaseSensitive: true }),
    workspace.onDidCloseTextDocument(document => files.forget(document)),
    session.onDidSwitch(() => reportContext(session)),
    session.onEvent(event => {
      if (!changesSummaries(event)) return;
      follow();
      if (!panel.isVisible)
        void loadActions().then(actions => actions.notifyCompression(event, session, panel, log));
    }),
    registerCommands(log, {
      'folio.compressContext': async (how?: unknown) => (await loadActions()).compress(session, panel, how),
      'folio.undoCompression': async () => (await loadActions()).undoNewestCompression(session),
      'folio.editSummary': async (compressionId: string) =>
        (await loadActions()).editSummary(session, compressionId),
    }),
  );
}

function changesSummaries({ type }: SessionEvent): boolean {
  return type.startsWith('compression.') || type === 'session.rewound' || type === 'rewind.undone';
}

function reportSaved({ tokens }: CompressionPlan): void {
  const now = t('{0} tokens instead of {1}', tokens.after.toLocaleString(), tokens.before.toLocaleString());
  window.setStatusBarMessage(t('Summary saved: {0}', now), 10_000);
}

function reportContext({ state }: ActiveSession): void {
  void commands.executeCommand('setContext', 'folio.canUndoCompression', state.compressions.length > 0);
}

/**
 * Closes editors of deleted summaries unless they have unsaved text, which the user may still copy. Saving it explains
 * why it is refused.
 */
async function closeClean(uris: readonly Uri[]): Promise<void> {
  if (uris.length === 0) return;
  const wanted = new Set(uris.map(uri => uri.toString()));
  await closeTabs(
    ({ input, isDirty }) => input instanceof TabInputText && wanted.has(input.uri.toString()) && !isDirty,
  );
}
