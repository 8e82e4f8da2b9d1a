import { commands, TabInputText } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import { closeTabs } from '../tabs.ts';
import type { OriginalDocuments } from './originalDocuments.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/**
 * Commands that open changes: the pending ones of all files, otherwise every file that the session changed, its state
 * before the first change against the current one; or those of its worktree.
 */
export function registerChangesCommands(
  session: ActiveSession,
  files: VirtualFiles,
  bases: OriginalDocuments,
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

/**
 * Closes tabs of an earlier extension host, which are empty since their left sides no longer exist. The API has no
 * class for this kind of tab.
 */
async function closeStale(): Promise<void> {
  const { all, pending } = titles();
  const isOurs = (label: string) => label.startsWith(all) || label.startsWith(pending);
  await closeTabs(({ input, label }) => !(input instanceof TabInputText) && isOurs(label));
}
