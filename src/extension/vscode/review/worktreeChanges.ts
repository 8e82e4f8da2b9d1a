import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { ActiveSession } from '../activeSession.ts';
import { originalUri } from './proposalUris.ts';
import { putOriginal } from './sessionChanges.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** Opens what the worktree of the session has that is not at home yet, file by file beside what it began from. */
export async function openWorktreeChanges(
  session: ActiveSession,
  files: VirtualFiles,
  title: string,
): Promise<void> {
  const { present, state } = session;
  const changed = (await present?.homecoming?.listChanges({}, new AbortController().signal)) ?? [];
  if (changed.length === 0) {
    void window.showInformationMessage(t('There is nothing to bring home.'));
    return;
  }
  const rows = changed.map(async ({ path, base }) => {
    const now = Uri.file(path);
    const isThere = await Promise.resolve(workspace.fs.stat(now)).then(
      () => true,
      () => false,
    );
    const uri = originalUri(`${state.sessionId}/home`, path);
    // Bytes that are no text are shown as they are now alone.
    const isText = base && !base.includes(0);
    const before = isText ? await putOriginal(files, uri, new TextDecoder().decode(base)) : undefined;
    return [now, before, isThere ? now : undefined];
  });
  await commands.executeCommand('vscode.changes', title, await Promise.all(rows));
}
