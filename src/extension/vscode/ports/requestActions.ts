/* Fixes and refactorings of VS Code, as edits that Folio can propose. */

import {
  type Command,
  commands,
  type FormattingOptions,
  Range,
  type TextDocument,
  type TextEdit,
  Uri,
  CodeAction as VscodeAction,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type { ActionTarget, CodeAction } from '../../platform/languages.ts';
import { toEdit, toProposedEdits } from './requestRenaming.ts';

/** Actions whose edits are resolved. Further ones are listed without edits. */
const resolved = 40;

export async function requestActions(
  document: TextDocument,
  place: ActionTarget,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const isWhole = !('first' in place) && !('line' in place);
  const asking = commands.executeCommand<(VscodeAction | Command)[] | undefined>(
    'vscode.executeCodeActionProvider',
    document.uri,
    document.validateRange(rangeOf(document, place)),
    isWhole ? 'source' : undefined,
    resolved,
  );
  const found = (await abortable(Promise.resolve(asking), signal)) ?? [];
  const meant = found
    // VS Code adds actions for the whole file to every range.
    .filter(action => isWhole || !(action instanceof VscodeAction && action.kind?.value.startsWith('source')))
    .filter(action => !isOwn(action));
  const all = await Promise.all(meant.map(toAction));
  const actions = all.filter(({ change }) => change.kind === 'refused' || change.files.length > 0);
  return isWhole ? [...actions, ...(await askFormat(document, signal))] : actions;
}

function rangeOf(document: TextDocument, place: ActionTarget): Range {
  if ('line' in place) return new Range(place.line - 1, place.column - 1, place.line - 1, place.column - 1);
  if ('first' in place) return new Range(place.first - 1, 0, place.last - 1, Number.MAX_SAFE_INTEGER);
  return new Range(0, 0, document.lineCount, 0);
}

/** Folio's own code actions send prompts to the agent, which is asking. */
function isOwn(action: VscodeAction | Command): boolean {
  const command = action instanceof VscodeAction ? action.command?.command : action.command;
  return command?.startsWith('folio.') ?? false;
}

async function toAction(action: VscodeAction | Command): Promise<CodeAction> {
  const refuse = (reason: string): CodeAction => ({
    title: action.title,
    change: { kind: 'refused', reason },
  });
  if (!(action instanceof VscodeAction)) return refuse('it runs a command of the editor.');
  if (action.disabled) return refuse(action.disabled.reason);
  if (!action.edit) return refuse('it runs a command of the editor.');
  const change = toProposedEdits(action.edit);
  if (change.kind === 'refused') return refuse(change.reason);
  // The API does not tell which files an action would create.
  for (const { path } of change.files)
    if (!(await isThere(path))) return refuse(`${workspace.asRelativePath(path)} would have to be made.`);
  return { title: action.title, change };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await workspace.fs.stat(Uri.file(path));
    return true;
  } catch {
    return false;
  }
}

async function askFormat(document: TextDocument, signal: AbortSignal): Promise<readonly CodeAction[]> {
  const asking = commands.executeCommand<TextEdit[] | undefined>(
    'vscode.executeFormatDocumentProvider',
    document.uri,
    indentationOf(document),
  );
  const edits = await abortable(Promise.resolve(asking), signal);
  if (!edits) return [];
  const files = edits.length > 0 ? [{ path: document.uri.fsPath, edits: edits.map(toEdit) }] : [];
  return [{ title: 'Format Document', change: { kind: 'edits', files } }];
}

/** Uses the indentation of the file, else the user's settings. */
function indentationOf(document: TextDocument): FormattingOptions {
  const settings = workspace.getConfiguration('editor', document);
  const indents = document.getText().match(/^(?:\t| {2,})(?=\S)/gm) ?? [];
  const spaces = indents.filter(each => each !== '\t').map(({ length }) => length);
  const tabSize = spaces.length > 0 ? Math.min(...spaces) : settings.get('tabSize', 4);
  const insertSpaces =
    indents.length > 0 ? spaces.length * 2 >= indents.length : settings.get('insertSpaces', true);
  return { tabSize, insertSpaces };
}
