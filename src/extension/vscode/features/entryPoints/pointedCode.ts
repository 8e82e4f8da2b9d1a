/* Code that a user points to somewhere in VS Code, as it goes along with a prompt. */

import { Range, type TextDocument, type TextEditor, type Uri, workspace } from 'vscode';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { headOf } from '../../../base/text.ts';
import { formatPathIn } from '../../../core/folderPaths.ts';
import { linesOf } from '../../lineRange.ts';
import { workspaceFolders } from '../../workspaceFolders.ts';

export type SelectedCode = Extract<Attachment, { kind: 'selection' }>;

/** Characters of code that go along with a prompt. */
export const codeLimit = 16_384;

/** With nothing selected, the line of the cursor. */
export function rangeOfSelected({ document, selection }: TextEditor): Range {
  return selection.isEmpty ? document.lineAt(selection.start.line).range : selection;
}

export function attachSelected(editor: TextEditor): SelectedCode {
  return attachRange(editor.document, rangeOfSelected(editor));
}

/** @param around lines before and after the range that go along, too */
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

/** The way that tools take it, and people see it. */
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
