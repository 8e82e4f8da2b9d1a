import { commands, type Position, type Range, type TextEdit, type Uri, type WorkspaceEdit } from 'vscode';
import { abortable } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import type { CodeEdit, Renaming } from '../../platform/languages.ts';

/** VS Code asks the servers in turn; each may refuse, in its own words. */
export async function askRenaming(
  uri: Uri,
  at: Position,
  newName: string,
  signal: AbortSignal,
): Promise<Renaming> {
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
  const entries = edit?.entries() ?? [];
  // The API tells of files that would move only by their number.
  if (edit && edit.size > entries.length)
    return { kind: 'refused', reason: 'The files themselves would have to move, which Folio does not do.' };
  const foreign = entries.find(([{ scheme }]) => scheme !== 'file');
  if (foreign)
    return { kind: 'refused', reason: `It is used in ${foreign[0].toString()}, which is no file.` };
  const files = entries.map(([{ fsPath }, edits]) => ({ path: fsPath, edits: edits.map(toEdit) }));
  return { kind: 'edits', files };
}

function toEdit({ range, newText }: TextEdit): CodeEdit {
  return { ...pointsOf(range), text: newText };
}

function pointsOf({ start, end }: Range): Pick<CodeEdit, 'from' | 'to'> {
  return {
    from: { line: start.line + 1, column: start.character + 1 },
    to: { line: end.line + 1, column: end.character + 1 },
  };
}
