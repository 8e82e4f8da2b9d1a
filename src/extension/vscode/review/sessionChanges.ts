import { commands, Uri, window, workspace } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { Session } from '../../core/session/session.ts';
import type { Proposal } from '../../core/tool.ts';
import type { ActiveSession } from '../activeSession.ts';
import { listCalls } from '../findCall.ts';
import { originalUri } from './proposalUris.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** Opens every file that the session changed: as it was before the first change, against how it is now. */
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

/** Opens what the worktree of the session has that is not at home yet, file by file beside what it began from. */
export async function openWorktreeChanges(session: ActiveSession, files: VirtualFiles): Promise<void> {
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
  // It begins like the title of all changes, by which tabs of an earlier run are found.
  await commands.executeCommand('vscode.changes', t('Folio: worktree changes'), await Promise.all(rows));
}

async function putOriginal(files: VirtualFiles, uri: Uri, before: string): Promise<Uri> {
  files.put(uri, before, 'locked');
  // Opened in advance, so that the encoding that the user has set for files does not count.
  await workspace.openTextDocument(uri, { encoding: 'utf8' });
  return uri;
}

/** The first accepted proposal for each file: its `before` is what the session found. */
function firstProposals(session: Session): readonly Proposal[] {
  const firsts = new Map<string, Proposal>();
  for (const { id, status } of listCalls(session.state)) {
    if (status.kind !== 'ended' || status.outcome !== 'ok' || status.display.detail?.kind !== 'diff')
      continue;
    const proposal = session.proposal(id);
    if (proposal && !firsts.has(proposal.path)) firsts.set(proposal.path, proposal);
  }
  return [...firsts.values()];
}
