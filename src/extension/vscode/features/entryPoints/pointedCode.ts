/* Code that a user selects somewhere in VS Code, as an attachment of a prompt. */

import { Range, type TextDocument, type TextEditor, type Uri, workspace } from 'vscode';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { headOf } from '../../../base/text.ts';
import { formatPathIn } from '../../../core/folderPaths.ts';
import { linesOf } from '../../lineRange.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';

export type SelectedCode = Extract<Attachment, { kind: 'selection' }>;

/** Characters of attached code. */
export const codeLimit = 16_384;

/** Returns the cursor's line if nothing is selected. */
export function rangeOfSelected({ document, selection }: TextEditor): Range {
  return selection.isEmpty ? document.lineAt(selection.start.line).range : selection;
}

export function attachSelected(editor: TextEditor): SelectedCode {
  return attachRange(editor.document, rangeOfSelected(editor));
}

/** @param around number of lines before and after the range to include */
export function attachLines(document: TextDocument, range: Range, around: number): SelectedCode {
  const first = Math.max(range.start.line - around, 0);
  const last = Math.min(range.end.line + around, document.lineCount - 1);
  const whole = new Range(first, 0, last, document.lineAt(last).text.length);
  return attach(document, whole, document.getText(whole));
}

export function attachRange(document: TextDocument, range: Range): SelectedCode {
  return attach(document, range, document.getText(range));
}

export function fileAttachment(uri: Uri): Attachment {
  return { kind: 'file', path: pathOf(uri) };
}

/** Returns the path as used by tools and shown to the user. */
export function pathOf(uri: Uri): string {
  return uri.scheme === 'file'
    ? formatPathIn(workspaceFolders()[0], uri.fsPath)
    : workspace.asRelativePath(uri, false);
}

function attach(document: TextDocument, range: Range, text: string): SelectedCode {
  return {
    kind: 'selection',
    path: pathOf(document.uri),
    ...linesOf(range),
    text: headOf(text, codeLimit),
  };
}
