/*
 * Notebooks that are open in an editor. Changed through it to keep undo, unsaved cells and the view. Saved files have
 * the editor's formatting.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  extensions,
  type NotebookCell,
  NotebookCellData,
  NotebookData,
  type NotebookDocument,
  NotebookEdit,
  NotebookRange,
  Range,
  TextEdit,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { t } from '../../../protocol/language.ts';
import { type CellEdit, cellEdits, differsOutsideCells } from '../../notebooks/cellEdits.ts';
import { splitNotebook } from '../../notebooks/notebook.ts';
import { FileError, type FileReader } from '../../platform/fileSystem.ts';
import { findOffsetEdit } from '../textSpan.ts';

export class OpenNotebooks {
  private readonly files: Pick<FileReader, 'realPath'>;

  constructor(files: Pick<FileReader, 'realPath'>) {
    this.files = files;
  }

  async find(path: string): Promise<NotebookDocument | undefined> {
    const open = workspace.notebookDocuments.filter(
      ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed,
    );
    for (const notebook of open) {
      if (notebook.uri.fsPath === path || (await this.files.realPath(notebook.uri.fsPath)) === path)
        return notebook;
    }
    return undefined;
  }

  /** Returns the content that saving would write; `undefined` if everything is saved, or it is unknown. */
  async readUnsaved(path: string): Promise<string | undefined> {
    const notebook = await this.find(path);
    return notebook?.isDirty ? exportNotebook(notebook) : undefined;
  }

  /**
   * Returns false if the notebook is not open, or no notebook editor supports the new content. Saves what it changes.
   */
  async write(path: string, before: string, after: string): Promise<boolean> {
    const notebook = await this.find(path);
    const [old, now] = [splitNotebook(before), splitNotebook(after)];
    if (!notebook || !old || !now) return false;
    if (old.cells.length !== notebook.cellCount)
      throw failed(path, 'its editor shows other cells than it was read with');
    if (notebook.isDirty && (await exportNotebook(notebook)) === undefined)
      throw failed(path, 'it has unsaved cells that nobody can read; save it first');
    const edits = cellEdits(old, now);
    if (!(await applySources(notebook, edits))) throw failed(path, 'the editor did not take the change');
    if (!(await applyCells(notebook, edits, after, differsOutsideCells(old, now))))
      throw failed(path, 'the editor did not take the change');
    if (!(await save(notebook)))
      throw new FileError('unsaved', path, () =>
        t('{0} was not saved: the change is still unsaved in the editor.', path),
      );
    return true;
  }
}

/** Maximal number of saves while VS Code itself still updates the changed cells. */
const saveAttempts = 20;

/**
 * VS Code records a cell's language and more shortly after a change. A save during that leaves the notebook dirty; the
 * next one includes it.
 */
async function save(notebook: NotebookDocument): Promise<boolean> {
  for (let attempt = 1; attempt <= saveAttempts && notebook.isDirty; attempt++) {
    if (await notebook.save()) return true;
    await setTimeout(50 * attempt);
  }
  return !notebook.isDirty;
}

function failed(path: string, why: string): FileError {
  return new FileError('other', path, () => `${path} was not saved: ${why}.`);
}

async function applySources(notebook: NotebookDocument, edits: readonly CellEdit[]): Promise<boolean> {
  const edit = new WorkspaceEdit();
  for (const each of edits) {
    if (each.kind !== 'source') continue;
    const { document } = notebook.cellAt(each.cell);
    const span = findOffsetEdit(document.getText(), each.source);
    if (!span) continue;
    const range = new Range(document.positionAt(span.start), document.positionAt(span.end));
    edit.set(document.uri, [TextEdit.replace(range, span.text)]);
  }
  return edit.size === 0 || workspace.applyEdit(edit);
}

/** New cells, with all their data, are parsed by the editor's own notebook serializer. */
async function applyCells(
  notebook: NotebookDocument,
  edits: readonly CellEdit[],
  after: string,
  isAroundToo: boolean,
): Promise<boolean> {
  const wanted = edits.filter(edit => edit.kind === 'cells');
  if (wanted.length === 0 && !isAroundToo) return true;
  const folder = await mkdtemp(join(tmpdir(), `folio-notebook-${process.pid}-`));
  try {
    const place = join(folder, 'wanted.ipynb');
    await writeFile(place, after);
    const source = await workspace.openNotebookDocument(Uri.file(place));
    const changes = wanted.map(({ start, count, from, to }) =>
      NotebookEdit.replaceCells(
        new NotebookRange(start, start + count),
        source.getCells(new NotebookRange(from, to)).map(dataOf),
      ),
    );
    if (isAroundToo) changes.push(NotebookEdit.updateNotebookMetadata(source.metadata));
    const edit = new WorkspaceEdit();
    edit.set(notebook.uri, changes);
    return await workspace.applyEdit(edit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function dataOf(cell: NotebookCell): NotebookCellData {
  const data = new NotebookCellData(cell.kind, cell.document.getText(), cell.document.languageId);
  data.outputs = [...cell.outputs];
  data.metadata = cell.metadata;
  data.executionSummary = cell.executionSummary;
  return data;
}

/** API of VS Code's notebook serializer for other extensions. */
interface NotebookWriter {
  exportNotebook(notebook: NotebookData): Promise<string>;
}

async function exportNotebook(notebook: NotebookDocument): Promise<string | undefined> {
  const writer: unknown = await extensions.getExtension('vscode.ipynb')?.activate();
  if (!isWriter(writer)) return undefined;
  const data = new NotebookData(notebook.getCells().map(dataOf));
  data.metadata = notebook.metadata;
  return writer.exportNotebook(data);
}

function isWriter(value: unknown): value is NotebookWriter {
  return typeof value === 'object' && value !== null && 'exportNotebook' in value;
}
