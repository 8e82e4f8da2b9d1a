import {
  EventEmitter,
  type NotebookCell,
  NotebookCellStatusBarAlignment,
  NotebookCellStatusBarItem,
  type NotebookCellStatusBarItemProvider,
  notebooks,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { FileNames } from './fileNames.ts';

/** Accept and reject below each changed cell of a notebook editor. A removed cell is decided on in the panel. */
export class CellDecisions implements NotebookCellStatusBarItemProvider, Disposable {
  private readonly reviews: ActiveReviews;
  private readonly names: FileNames;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new EventEmitter<void>());
  readonly onDidChangeCellStatusBarItems = this.changed.event;

  constructor(reviews: ActiveReviews, names: FileNames) {
    this.reviews = reviews;
    this.names = names;
    this.store.add(reviews.onDidChange(() => this.changed.fire()));
    this.store.add(notebooks.registerNotebookCellStatusBarItemProvider('jupyter-notebook', this));
  }

  provideCellStatusBarItems({ notebook, index }: NotebookCell): NotebookCellStatusBarItem[] {
    const path = this.names.realOf(notebook.uri);
    const review = path === undefined ? undefined : this.reviews.ledger?.review(path);
    if (review?.by !== 'cells') return [];
    // The first unit of a notebook is what stands before its cells.
    const unit = index + 1;
    const hunk = pendingHunks(review).find(({ start, count }) => unit >= start && unit < start + count);
    if (!hunk) return [];
    const item = (text: string, tooltip: string, command: string) => {
      const made = new NotebookCellStatusBarItem(text, NotebookCellStatusBarAlignment.Left);
      made.tooltip = tooltip;
      made.command = { title: tooltip, command, arguments: [{ path, hunkId: hunk.id }] };
      return made;
    };
    return [
      item('$(check) Accept', 'Keep this change', 'folio.review.acceptHunk'),
      item('$(close) Reject', 'Put back what was here before', 'folio.review.rejectHunk'),
    ];
  }

  dispose(): void {
    this.store.dispose();
  }
}
