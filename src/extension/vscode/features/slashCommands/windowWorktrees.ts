/* Worktrees for slash commands of a window. Loaded on first use. */

import { commands, Uri, window, workspace } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import {
  assertResting,
  type WorktreeAccess,
  type WorktreeHost,
  worktreeAccess,
} from '../../../core/commands/worktreeAccess.ts';
import type { TransferredFile, WorktreeTransfer } from '../../../core/worktrees/worktreeTransfer.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { proposalScheme } from '../../review/proposalUris.ts';
import type { VirtualFiles } from '../../review/virtualFiles.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';

export function windowWorktrees(
  host: Omit<WorktreeHost, 'folder'>,
  session: ActiveSession,
  virtualFiles: VirtualFiles,
): WorktreeAccess {
  const letAgentMerge = () => void commands.executeCommand('folio.updateWorktree');
  const [folder] = workspaceFolders();
  return worktreeAccess(
    { ...host, folder },
    {
      moveChanges: async (text, wanted) => {
        const shown = await session.open();
        const moved = await shown.moveChanges(text, wanted);
        const { worktreeTransfer } = shown;
        const conflicts = moved.filter(({ result }) => result === 'conflict');
        if (wanted.to === 'home' && worktreeTransfer && conflicts.length > 0)
          void offerToMerge(conflicts, worktreeTransfer, virtualFiles, {
            letAgentMerge,
            merged: async () => {
              const left = await worktreeTransfer.listChanges({}, new AbortController().signal);
              const before = shown.state.worktree?.settled?.conflicts ?? 1;
              shown.noteSettled(left.length, Math.min(left.length, before - 1));
            },
          });
        return moved;
      },
      branch: {
        commits: async () => (await session.open()).planChapterCommits(),
        note: () => session.present?.noteSettled(0, 0),
      },
      isUsed: path =>
        session.opened.all.some(each => each !== session.present && each.state.worktree?.path === path),
      move: async place => {
        assertResting(session.state);
        await session.moveTo(place);
      },
      setUp: command => {
        session.runCommand(command, 'setUp').catch(error => void window.showErrorMessage(messageOf(error)));
      },
    },
  );
}

interface Merging {
  readonly letAgentMerge: () => void;
  /** Called when a file is merged, so that it counts as brought home. */
  readonly merged: () => Promise<void>;
}

async function offerToMerge(
  conflicts: readonly TransferredFile[],
  worktreeTransfer: WorktreeTransfer,
  virtualFiles: VirtualFiles,
  { letAgentMerge, merged }: Merging,
): Promise<void> {
  const sentence = plural(
    conflicts.length,
    'one: {0} file was not changed: you and the session changed the same lines. | other: {0} files were not changed: you and the session changed the same lines.',
  );
  const [open, agent] = [t('Open Merge Editor'), t('Let the Agent Merge')];
  const answer = await window.showWarningMessage(sentence, open, agent);
  if (answer === agent) letAgentMerge();
  if (answer !== open) return;
  for (const { path } of conflicts) await openMergeEditor(path, worktreeTransfer, virtualFiles, merged);
}

/**
 * Opens a merge editor whose result is the file itself. Once that file is saved, the session's version from when
 * the editor opened counts as brought home. If the editor is closed before, the change is still to be brought.
 */
async function openMergeEditor(
  path: string,
  worktreeTransfer: WorktreeTransfer,
  virtualFiles: VirtualFiles,
  merged: Merging['merged'],
): Promise<void> {
  const { signal } = new AbortController();
  const { name } = worktreeTransfer.worktree;
  const { base, mine, theirs, place } = await worktreeTransfer.readConflict(path, signal);
  const put = (side: string, bytes: Uint8Array | null) => {
    const uri = Uri.from({ scheme: proposalScheme, path: `/${name}/${side}/${path}` });
    virtualFiles.put(uri, new TextDecoder().decode(bytes ?? new Uint8Array()), 'locked');
    return uri;
  };
  await commands.executeCommand('_open.mergeEditor', {
    base: put('base', base),
    input1: { uri: put('theirs', theirs.bytes), title: t('Worktree {0}', name) },
    input2: { uri: put('mine', mine), title: t('Your files') },
    output: Uri.file(place),
  });
  const editor = window.tabGroups.activeTabGroup.activeTab;
  const listening = new DisposableStore();
  listening.add(
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.fsPath !== place) return;
      listening.dispose();
      worktreeTransfer
        .mark([theirs], () => {}, signal)
        .then(merged)
        .catch(error => void window.showErrorMessage(messageOf(error)));
    }),
  );
  listening.add(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (!editor || !closed.includes(editor)) return;
      listening.dispose();
      void window.showInformationMessage(
        t('{0} was closed without a result, so its change still has to be brought home.', path),
      );
    }),
  );
}
