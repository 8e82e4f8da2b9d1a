import { commands, TabInputText, Uri, window, workspace } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';

import type { Session } from '../../core/session/session.ts';
import type { Proposal } from '../../core/tool.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import { listCalls } from '../findCall.ts';
import type { BaseDocuments } from './baseDocuments.ts';
import { originalUri } from './proposalUris.ts';
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
      if (rows.length === 0) await openChanges(session, files);
      else await commands.executeCommand('vscode.changes', titles().pending, rows);
    },
  });
}

function titles(): { readonly all: string; readonly pending: string } {
  return { all: t('Folio: changes'), pending: t('Folio: changes to review') };
}

/** Tabs of an earlier run of the host show nothing: the left sides are gone. Their kind has no name in the API. */
async function closeStale(): Promise<void> {
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  const { all, pending } = titles();
  const isOurs = (label: string) => label.startsWith(all) || label.startsWith(pending);
  const stale = tabs.filter(({ input, label }) => !(input instanceof TabInputText) && isOurs(label));
  if (stale.length > 0) await window.tabGroups.close(stale, true);
}

async function openChanges(session: ActiveSession, files: VirtualFiles): Promise<void> {
  const { present, state } = session;
  const changed = new Set(state.chapters.flatMap(chapter => chapter.files.map(file => file.path)));
  const firsts = present ? firstProposals(present) : [];
  if (firsts.length === 0) {
    const why =
      changed.size === 0
        ? t('Folio has changed no files in this session.')
        : plural(
            changed.size,
            'one: How {0} file looked before is no longer kept. Source control may show it. | other: How {0} files looked before is no longer kept. Source control may show it.',
          );
    void window.showInformationMessage(why);
    return;
  }
  const rows: (Uri | undefined)[][] = [];
  for (const { path, before } of firsts) {
    const now = Uri.file(path);
    rows.push([
      now,
      before === null ? undefined : await putOriginal(files, state.sessionId, path, before),
      now,
    ]);
  }
  await commands.executeCommand('vscode.changes', titles().all, rows);
}

async function putOriginal(
  files: VirtualFiles,
  sessionId: string,
  path: string,
  before: string,
): Promise<Uri> {
  const uri = originalUri(sessionId, path);
  files.put(uri, before, 'locked');
  // Opened beforehand, so that the encoding that the person has set for files does not count.
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
