import { commands, Uri, window, workspace } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { Session } from '../../core/session/session.ts';
import type { EditProposal } from '../../core/tool.ts';
import type { ActiveSession } from '../activeSession.ts';
import { listCalls } from '../findCall.ts';
import { originalUri } from './proposalUris.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** Opens every file that the session changed: its state before the first change against the current one. */
export async function openSessionChanges(
  session: ActiveSession,
  files: VirtualFiles,
  title: string,
): Promise<void> {
  const { present, state } = session;
  const changed = new Set(state.chapters.flatMap(chapter => chapter.files.map(file => file.path)));
  const firsts = present ? firstProposals(present) : [];
  if (firsts.length === 0) {
    const why =
      changed.size === 0
        ? t('Folio has changed no files in this session.')
        : plural(
            changed.size,
            'one: The earlier content of {0} file is no longer stored. Check source control. | other: The earlier content of {0} files is no longer stored. Check source control.',
          );
    void window.showInformationMessage(why);
    return;
  }
  const rows: (Uri | undefined)[][] = [];
  for (const { path, before } of firsts) {
    const now = Uri.file(path);
    rows.push([
      now,
      before === null ? undefined : await putOriginal(files, originalUri(state.sessionId, path), before),
      now,
    ]);
  }
  await commands.executeCommand('vscode.changes', title, rows);
}

/** Opens the files of the session's worktree that are not brought home yet, each against its starting point. */
export async function openWorktreeChanges(session: ActiveSession, files: VirtualFiles): Promise<void> {
  const { present, state } = session;
  const changed = (await present?.worktreeTransfer?.listChanges({}, new AbortController().signal)) ?? [];
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
    // Binary files are shown only in their current state.
    const isText = base && !base.includes(0);
    const before = isText ? await putOriginal(files, uri, new TextDecoder().decode(base)) : undefined;
    return [now, before, isThere ? now : undefined];
  });
  // Begins like the title of all changes, by which tabs of an earlier host are found.
  await commands.executeCommand('vscode.changes', t('Folio: worktree changes'), await Promise.all(rows));
}

async function putOriginal(files: VirtualFiles, uri: Uri, before: string): Promise<Uri> {
  files.put(uri, before, 'locked');
  // Opened explicitly as UTF-8, to ignore the user's encoding settings.
  await workspace.openTextDocument(uri, { encoding: 'utf8' });
  return uri;
}

/** Returns the first accepted proposal for each file. Its `before` is the original text. */
function firstProposals(session: Session): readonly EditProposal[] {
  const firsts = new Map<string, EditProposal>();
  for (const { id, status } of listCalls(session.state)) {
    if (status.kind !== 'ended' || status.outcome !== 'ok' || status.display.detail?.kind !== 'diff')
      continue;
    const proposal = session.proposal(id);
    if (proposal && !firsts.has(proposal.path)) firsts.set(proposal.path, proposal);
  }
  return [...firsts.values()];
}
