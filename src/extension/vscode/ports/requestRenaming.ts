import {
  commands,
  type Position,
  type Range,
  type TextEdit,
  type Uri,
  type WorkspaceEdit,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { CodeEdit, ProposedEdits } from '../../platform/languages.ts';

/** VS Code asks the servers in turn. Each may refuse with its own message. */
export async function requestRenaming(
  uri: Uri,
  at: Position,
  newName: string,
  signal: AbortSignal,
): Promise<ProposedEdits> {
  const asking = commands.executeCommand<WorkspaceEdit | undefined>(
    'vscode.executeDocumentRenameProvider',
    uri,
    at,
    newName,
  );
  let edit: WorkspaceEdit | undefined;
  try {
    edit = await abortable(Promise.resolve(asking), signal);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'refused', reason: messageOf(error) };
  }
  return edit ? toProposedEdits(edit) : { kind: 'edits', files: [] };
}

export function toProposedEdits(edit: WorkspaceEdit): ProposedEdits {
  const entries = edit.entries();
  // The API reports moved files only as a count.
  if (edit.size > entries.length)
    return {
      kind: 'refused',
      reason: 'Files themselves would have to be moved, made or deleted, which Folio does not do.',
    };
  const foreign = entries.find(([{ scheme }]) => scheme !== 'file');
  if (foreign) return { kind: 'refused', reason: `It reaches ${foreign[0].toString()}, which is no file.` };
  const changed = entries.filter(([, edits]) => edits.length > 0);
  const open = new Set(workspace.textDocuments.map(({ uri }) => uri.toString()));
  const files = changed.map(([uri, edits]) => ({
    path: uri.fsPath,
    edits: edits.map(toEdit),
    isOpen: open.has(uri.toString()),
  }));
  return { kind: 'edits', files };
}

export function toEdit({ range, newText }: TextEdit): CodeEdit {
  return { ...pointsOf(range), text: newText };
}

function pointsOf({ start, end }: Range): Pick<CodeEdit, 'from' | 'to'> {
  return {
    from: { line: start.line + 1, column: start.character + 1 },
    to: { line: end.line + 1, column: end.character + 1 },
  };
}
