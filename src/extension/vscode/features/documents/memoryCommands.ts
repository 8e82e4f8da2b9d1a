import { Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { Memory } from '../../../core/context/memory.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { registerCommands } from '../commands.ts';

const uri = Uri.from({ scheme: 'folio-memory', path: '/Memory.md' });
const show = () => t('Show Memory');

/**
 * Commands that show memory files, or create one. Each prompt reads them again, so there is nothing to reload.
 * @param read reads them, including those of extensions
 * @param init lets the agent write the project's memory file
 */
export function registerMemoryCommands(
  session: ActiveSession,
  read: () => Promise<Memory>,
  init: () => Promise<void>,
  log: Log,
): Disposable {
  const changed = new EventEmitter<Uri>();
  const ofFolders = () => session.present?.environmentContext.memory.ofFolders ?? [];
  const open = async () => {
    // Refreshes a document that is already open.
    changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  };
  const provideTextDocumentContent = async () => {
    const { describeMemory } = await import('../../../core/context/describeMemory.ts');
    return describeMemory(await read(), ofFolders());
  };
  return Disposable.from(
    changed,
    workspace.registerTextDocumentContentProvider(uri.scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent,
    }),
    registerCommands(log, {
      'folio.showMemory': open,
      'folio.initMemory': init,
      'folio.refreshMemory': async () => {
        changed.fire(uri);
        const { blocks, problems } = await read();
        const { describeLoaded } = await import('../../../core/context/describeMemory.ts');
        const names = [...blocks, ...ofFolders()].map(block => workspace.asRelativePath(block.path));
        const sentence = describeLoaded(names, problems.length);
        if ((await window.showInformationMessage(sentence, show())) === show()) await open();
      },
    }),
  );
}
