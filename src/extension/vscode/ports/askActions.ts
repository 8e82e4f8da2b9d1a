/* What VS Code offers to do with code, as edits that Folio can propose. */

import {
  type Command,
  commands,
  type FormattingOptions,
  Range,
  type TextDocument,
  type TextEdit,
  CodeAction as VscodeAction,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type { ActionPlace, CodeAction } from '../../platform/languages.ts';
import { toChange, toEdit } from './askRenaming.ts';

/** Actions whose edits are worked out; the rest is named without. */
const resolved = 40;

export async function askActions(
  document: TextDocument,
  place: ActionPlace,
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
  const actions = found
    // VS Code adds those of the whole file to every place.
    .filter(action => isWhole || !(action instanceof VscodeAction && action.kind?.value.startsWith('source')))
    .map(toAction);
  return isWhole ? [...actions, ...(await askFormat(document, signal))] : actions;
}

function rangeOf(document: TextDocument, place: ActionPlace): Range {
  if ('line' in place) return new Range(place.line - 1, place.column - 1, place.line - 1, place.column - 1);
  if ('first' in place) return new Range(place.first - 1, 0, place.last - 1, Number.MAX_SAFE_INTEGER);
  return new Range(0, 0, document.lineCount, 0);
}

function toAction(action: VscodeAction | Command): CodeAction {
  const refuse = (reason: string): CodeAction => ({
    title: action.title,
    change: { kind: 'refused', reason },
  });
  if (!(action instanceof VscodeAction)) return refuse('it runs a command of the editor.');
  if (action.disabled) return refuse(action.disabled.reason);
  if (!action.edit) return refuse('it runs a command of the editor.');
  return { title: action.title, change: toChange(action.edit) };
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

/** As the file is indented already, else as the person's settings say. */
function indentationOf(document: TextDocument): FormattingOptions {
  const settings = workspace.getConfiguration('editor', document);
  const indents = document.getText().match(/^(?:\t| {2,})(?=\S)/gm) ?? [];
  const spaces = indents.filter(each => each !== '\t').map(({ length }) => length);
  const tabSize = spaces.length > 0 ? Math.min(...spaces) : settings.get('tabSize', 4);
  const insertSpaces =
    indents.length > 0 ? spaces.length * 2 >= indents.length : settings.get('insertSpaces', true);
  return { tabSize, insertSpaces };
}
