/* An input field between two lines of an editor, for a change of the code. VS Code draws one only for comments. */

import {
  type Comment,
  type CommentController,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  comments,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  workspace,
} from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';

interface OpenField {
  readonly thread: CommentThread;
  readonly document: TextDocument;
  /** Offsets of the code, which follow edits around it. */
  start: number;
  end: number;
}

/** The user's text, and the code that it is about. */
interface LineAnswer {
  readonly text: string;
  readonly document: TextDocument;
  readonly range: Range;
}

export class LineInput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly controller: CommentController;
  private field: OpenField | undefined;

  constructor() {
    this.controller = this.store.add(comments.createCommentController('folio.edit', 'Folio'));
    this.store.add(workspace.onDidChangeTextDocument(event => this.follow(event)));
  }

  /** Opens it below the code, and closes one that is open elsewhere. */
  open(document: TextDocument, range: Range): void {
    this.close();
    // A new comment gets the focus; a reply would need a click.
    const blank = { body: '', mode: CommentMode.Editing, author: { name: 'Folio' } };
    const thread = this.controller.createCommentThread(document.uri, range, [blank]);
    thread.label = t('Describe the change (Enter to send, Escape to close)');
    thread.canReply = false;
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    this.field = { thread, document, start, end };
  }

  /** Returns `undefined` and keeps the field open while the text is empty. */
  take({ body }: Comment): LineAnswer | undefined {
    const text = typeof body === 'string' ? body : body.value;
    if (!this.field || text.trim() === '') return undefined;
    const { document, start, end } = this.field;
    this.close();
    return { text, document, range: new Range(document.positionAt(start), document.positionAt(end)) };
  }

  close(): void {
    this.field?.thread.dispose();
    this.field = undefined;
  }

  dispose(): void {
    this.close();
    this.store.dispose();
  }

  private follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    const { field } = this;
    if (field?.document !== document) return;
    for (const { rangeOffset, rangeLength, text } of contentChanges) {
      const grown = text.length - rangeLength;
      if (rangeOffset + rangeLength <= field.start) field.start += grown;
      if (rangeOffset < field.end) field.end = Math.max(field.start, field.end + grown);
    }
  }
}
