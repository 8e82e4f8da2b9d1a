import {
  EventEmitter,
  type NotebookCell,
  NotebookCellStatusBarAlignment,
  NotebookCellStatusBarItem,
  type NotebookCellStatusBarItemProvider,
  type NotebookDocument,
  NotebookEditorRevealType,
  NotebookRange,
  notebooks,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { t } from '../../../protocol/language.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { findCellHunk } from '../../review/asLines.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { RealPathMapper } from './realPathMapper.ts';

/** Accept and Reject below each changed cell of a notebook editor. Removed cells are decided in the panel. */
export class CellDecisions extends DisposableOwner implements NotebookCellStatusBarItemProvider {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly changed = this.store.add(new EventEmitter<void>());
  readonly onDidChangeCellStatusBarItems = this.changed.event;

  constructor(reviews: ActiveReviews, names: RealPathMapper) {
    super();
    this.reviews = reviews;
    this.names = names;
    this.store.add(reviews.onDidChange(() => this.changed.fire()));
    this.store.add(notebooks.registerNotebookCellStatusBarItemProvider('jupyter-notebook', this));
  }

  provideCellStatusBarItems({ notebook, index }: NotebookCell): NotebookCellStatusBarItem[] {
    const path = this.names.toRealPath(notebook.uri);
    const review = path === undefined ? undefined : this.reviews.ledger?.review(path);
    const hunk = review && findCellHunk(review, unitOf(index));
    if (!hunk) return [];
    const item = (text: string, tooltip: string, command: string) => {
      const made = new NotebookCellStatusBarItem(text, NotebookCellStatusBarAlignment.Left);
      made.tooltip = tooltip;
      made.command = { title: tooltip, command, arguments: [{ path, hunkId: hunk.id }] };
      return made;
    };
    return [
      item(`$(check) ${t('Accept')}`, t('Keep this change'), 'folio.review.acceptHunk'),
      item(`$(close) ${t('Reject')}`, t('Put back what was here before'), 'folio.review.rejectHunk'),
    ];
  }
}

/** A cell of a notebook that is open in an editor. */
interface ShownCell {
  /** The notebook's URI. */
  readonly uri: Uri;
  /** Index of its unit in a review. */
  readonly unit: number;
}

export function cellOf(document: TextDocument): ShownCell | undefined {
  if (document.uri.scheme !== 'vscode-notebook-cell') return undefined;
  for (const notebook of workspace.notebookDocuments) {
    const index = notebook.getCells().findIndex(cell => cell.document === document);
    if (index >= 0) return { uri: notebook.uri, unit: unitOf(index) };
  }
  return undefined;
}

/** Returns the cell that a notebook editor's key bindings apply to, whether it is being edited or not. */
export function activeCell(): ShownCell | undefined {
  const editor = window.activeNotebookEditor;
  return editor && { uri: editor.notebook.uri, unit: unitOf(editor.selection.start) };
}

/** A removed cell was before the cell that has its place now. */
export async function showCell(notebook: NotebookDocument, unit: number): Promise<void> {
  const index = Math.max(0, Math.min(unit, notebook.cellCount) - 1);
  const range = new NotebookRange(index, index + 1);
  const editor = await window.showNotebookDocument(notebook, { selections: [range] });
  editor.revealRange(range, NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** The first unit of a notebook is the text before its cells. */
function unitOf(index: number): number {
  return index + 1;
}
