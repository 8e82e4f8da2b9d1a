/* Worktrees for commands in a window. Loaded with the first of them. */

import { commands, Uri, window } from 'vscode';
import { plural, t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { expectRest, type WorktreeAccess, worktreeAccess } from '../../../core/commands/worktreeAccess.ts';
import type { BroughtFile, Homecoming } from '../../../core/worktrees/homecoming.ts';
import type { FileSystem } from '../../../platform/fileSystem.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { VersionControl } from '../../../platform/versionControl.ts';
import type { Worktrees } from '../../../platform/worktrees.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { proposalScheme } from '../../review/proposalUris.ts';
import type { VirtualFiles } from '../../review/virtualFiles.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';

export function windowWorktrees(
  worktrees: Worktrees,
  settings: WritableSettings,
  files: FileSystem,
  versionControl: VersionControl,
  session: ActiveSession,
  virtualFiles: VirtualFiles,
): WorktreeAccess {
  const [folder] = workspaceFolders();
  return worktreeAccess(
    { worktrees, settings, versionControl, files, folder },
    {
      bringHome: async (text, request) => {
        const shown = await session.open();
        const brought = await shown.bringHome(text, request);
        const { homecoming } = shown;
        const conflicts = brought.filter(({ result }) => result === 'conflict');
        if (homecoming && conflicts.length > 0) void offerToMerge(conflicts, homecoming, virtualFiles);
        return brought;
      },
      isUsed: path =>
        session.opened.all.some(each => each !== session.present && each.state.worktree?.path === path),
      move: async worktree => {
        expectRest(session.state);
        await session.moveTo(worktree);
      },
      setUp: command => {
        session.runCommand(command, 'setUp').catch(error => void window.showErrorMessage(messageOf(error)));
      },
    },
  );
}

async function offerToMerge(
  conflicts: readonly BroughtFile[],
  homecoming: Homecoming,
  virtualFiles: VirtualFiles,
): Promise<void> {
  const sentence = plural(
    conflicts.length,
    'one: {0} file is left as it is: you and the session changed the same lines. | other: {0} files are left as they are: you and the session changed the same lines.',
  );
  const open = t('Open Merge Editor');
  if ((await window.showWarningMessage(sentence, open)) !== open) return;
  for (const { path } of conflicts) await openMergeEditor(path, homecoming, virtualFiles);
}

/** The file itself is the result, which the user writes; from then on the change counts as brought home. */
async function openMergeEditor(
  path: string,
  homecoming: Homecoming,
  virtualFiles: VirtualFiles,
): Promise<void> {
  const { signal } = new AbortController();
  const { name } = homecoming.worktree;
  const { base, mine, places } = await homecoming.readConflict(path, signal);
  const put = (side: string, bytes: Uint8Array | null) => {
    const uri = Uri.from({ scheme: proposalScheme, path: `/${name}/${side}/${path}` });
    virtualFiles.put(uri, new TextDecoder().decode(bytes ?? new Uint8Array()), 'locked');
    return uri;
  };
  await commands.executeCommand('_open.mergeEditor', {
    base: put('base', base),
    input1: { uri: Uri.file(places.theirs), title: t('Worktree {0}', name) },
    input2: { uri: put('mine', mine), title: t('Your files') },
    output: Uri.file(places.mine),
  });
  await homecoming.markBrought(path, signal);
}
