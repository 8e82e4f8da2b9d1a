import { commands, TabInputText } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import { closeTabs } from '../tabs.ts';
import type { BaseDocuments } from './baseDocuments.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/**
 * Opens the pending changes of all files; when there are none, every file that the session changed: as it was before
 * the first change, against how it is now.
 */
export function registerOpenChanges(
  session: ActiveSession,
  files: VirtualFiles,
  bases: BaseDocuments,
  log: Log,
): Disposable {
  closeStale().catch(error => log.error('A diff of an earlier run could not be closed', error));
  return registerCommands(log, {
    'folio.openChanges': async () => {
      const { rows } = bases;
      if (rows.length > 0) await commands.executeCommand('vscode.changes', titles().pending, rows);
      else await (await import('./sessionChanges.ts')).openSessionChanges(session, files, titles().all);
    },
    'folio.showWorktreeChanges': async () => {
      const { openWorktreeChanges } = await import('./sessionChanges.ts');
      await openWorktreeChanges(session, files);
    },
  });
}

function titles(): { readonly all: string; readonly pending: string } {
  return { all: t('Folio: changes'), pending: t('Folio: changes to review') };
}

/** Tabs of an earlier run of the host show nothing: the left sides are gone. Their kind has no name in the API. */
async function closeStale(): Promise<void> {
  const { all, pending } = titles();
  const isOurs = (label: string) => label.startsWith(all) || label.startsWith(pending);
  await closeTabs(({ input, label }) => !(input instanceof TabInputText) && isOurs(label));
}
