/*
 * Writes through the editor and saves each file at once. An editor takes about as long for many files as for one, so
 * writes that arrive during another are combined into one edit, which VS Code saves like a refactoring:
 *
 *     write a ──► edit of a
 *     write b ─┐      │
 *     write c ─┴──────┴──► one edit of b and c ─┬─► saved; what is still unsaved is saved separately
 *                                               └─► refused, since b or c has changed: b and c separately
 */

import { EndOfLine, Range, type TextDocument, TextEdit, WorkspaceEdit, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { FileError } from '../../platform/fileSystem.ts';
import { findOffsetEdits } from '../offsetEdits.ts';
import { findOffsetEdit, lineEndingOf } from '../textSpan.ts';

interface WaitingEdit {
  readonly document: TextDocument;
  /** The edits were computed for this version of it. */
  readonly version: number;
  readonly edits: readonly TextEdit[];
  /** `false` if VS Code refused the edit, since the document changed after it was computed. */
  readonly done: (applied: boolean | Promise<boolean>) => void;
}

export class EditorWriter {
  private waiting: WaitingEdit[] = [];
  private isBusy = false;

  /**
   * Returns false if the document changed meanwhile; then nothing is written. If saving fails, restores the buffer; the
   * file is then untouched.
   * @param path for messages
   */
  async write(document: TextDocument, text: string, path: string): Promise<boolean> {
    const before = document.getText();
    if (!(await this.apply(document, text))) return false;
    try {
      if (!document.isDirty || (await document.save())) return true;
    } catch (error) {
      await this.apply(document, before);
      throw new FileError(
        'other',
        path,
        () => t('{0} could not be saved: {1}', path, messageOf(error)),
        error,
      );
    }
    await this.apply(document, before);
    throw new FileError('other', path, () =>
      t('{0} could not be saved. Check whether it is write-protected.', path),
    );
  }

  private apply(document: TextDocument, text: string): Promise<boolean> {
    const edits = editsFor(document, text);
    if (edits.length === 0) return Promise.resolve(true);
    return new Promise(done => {
      this.waiting.push({ document, version: document.version, edits, done });
      if (!this.isBusy) void this.applyWaiting();
    });
  }

  /** Never rejects: the caller of each edit gets its error. */
  private async applyWaiting(): Promise<void> {
    this.isBusy = true;
    while (this.waiting.length > 0) {
      const all = this.waiting;
      // Edits of the same document are applied in turn.
      const together = all.filter(
        ({ document }, at) => all.findIndex(each => each.document === document) === at,
      );
      this.waiting = all.filter(each => !together.includes(each));
      await applyTogether(together);
    }
    this.isBusy = false;
  }
}

/** All or nothing; if VS Code refuses the combined edit, each is tried separately. */
async function applyTogether(waiting: readonly WaitingEdit[]): Promise<void> {
  const isApplied = waiting.length > 1 && (await applyEdits(waiting).catch(() => false));
  for (const each of waiting) {
    const applied = isApplied ? Promise.resolve(true) : applyEdits([each]);
    each.done(applied);
    // Its caller gets the error; the others continue.
    await applied.catch(() => false);
  }
}

/** VS Code refuses edits if a document changed after this call. Earlier changes must be checked here. */
async function applyEdits(waiting: readonly WaitingEdit[]): Promise<boolean> {
  if (waiting.some(({ document, version }) => document.version !== version)) return false;
  const edit = new WorkspaceEdit();
  for (const { document, edits } of waiting) edit.set(document.uri, [...edits]);
  return await workspace.applyEdit(edit, waiting.length > 1 ? { isRefactoring: true } : undefined);
}

function editsFor(document: TextDocument, text: string): readonly TextEdit[] {
  const before = document.getText();
  const ending = lineEndingOf(text);
  const wanted = ending === 'crlf' ? EndOfLine.CRLF : ending === 'lf' ? EndOfLine.LF : document.eol;
  const isRebroken = wanted !== document.eol;
  const spans = isRebroken ? [findOffsetEdit(before, text)] : findOffsetEdits(before, text);
  const edits = spans.flatMap(span =>
    span
      ? [
          TextEdit.replace(
            new Range(document.positionAt(span.start), document.positionAt(span.end)),
            span.text,
          ),
        ]
      : [],
  );
  return isRebroken && edits.length > 0 ? [...edits, TextEdit.setEndOfLine(wanted)] : edits;
}
