import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../src/extension/base/record.ts';
import { joinedText } from '../../src/extension/notebooks/notebook.ts';
import { FileError, type TextFormat, utf8Format } from '../../src/extension/platform/fileSystem.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';

type Members = Readonly<Record<string, unknown>>;

interface OpenNotebook {
  readonly frame: Members;
  readonly cells: readonly Members[];
  readonly isDirty: boolean;
}

/**
 * Files of a window in which notebooks are open: unsaved cells are what is read, and what is written goes through the
 * editor, which saves in its own manner and marks the cells that it was made to change.
 */
export class NotebookEditor extends MemoryFileSystem {
  /** Set by a test: the next write stands in the editor and is not saved. */
  failsNextSave = false;
  private readonly open = new Map<string, OpenNotebook>();

  async openNotebook(path: string): Promise<void> {
    const { text } = await super.readText(path);
    this.open.set(path, { ...parseNotebook(text), isDirty: false });
  }

  /** At the beginning of a cell, counted from 0. */
  async type(path: string, index: number, text: string): Promise<void> {
    const notebook = this.open.get(path)!;
    const cells = notebook.cells.map((cell, at) =>
      at === index ? { ...cell, source: text + joinedText(cell.source) } : cell,
    );
    this.open.set(path, { ...notebook, cells, isDirty: true });
  }

  override async readText(path: string) {
    const notebook = this.open.get(path);
    return notebook?.isDirty ? { text: saved(notebook), format: utf8Format } : super.readText(path);
  }

  override async readBytes(path: string): Promise<Uint8Array> {
    const notebook = this.open.get(path);
    return notebook?.isDirty ? Buffer.from(saved(notebook)) : super.readBytes(path);
  }

  override async writeText(path: string, text: string, format: TextFormat, expected?: string | null) {
    const notebook = this.open.get(path);
    if (!notebook) return super.writeText(path, text, format, expected);
    if (expected !== undefined && (await this.readText(path)).text !== expected)
      throw new FileError('changed', path, () => `${path} has changed since it was read.`);
    const { frame, cells } = parseNotebook(text);
    const written = cells.map((cell, at) => {
      const isNew = cells.length !== notebook.cells.length;
      return isNew || isDeepStrictEqual(cell, notebook.cells[at]) ? cell : marked(cell);
    });
    const now = { frame, cells: written, isDirty: this.failsNextSave };
    this.open.set(path, now);
    this.failsNextSave = false;
    if (now.isDirty) throw new FileError('unsaved', path, () => `${path} was not saved.`);
    await super.writeText(path, saved(now), format);
  }
}

function parseNotebook(text: string): Pick<OpenNotebook, 'frame' | 'cells'> {
  const { cells, ...frame } = JSON.parse(text) as { cells: Members[] };
  return { frame, cells: cells.map(cell => ({ ...cell, source: joinedText(cell.source) })) };
}

/** What VS Code adds to a cell that it was made to change: the language of raw text, and that a count is of a run before. */
function marked(cell: Members): Members {
  if (cell.cell_type === 'code') return { ...cell, execution_count: null };
  if (cell.cell_type !== 'raw') return cell;
  const metadata = isRecord(cell.metadata) ? cell.metadata : {};
  return { ...cell, metadata: { ...metadata, vscode: { languageId: 'raw' } } };
}

/** Sources as lists of lines, keys in the order of the alphabet. */
function saved({ frame, cells }: OpenNotebook): string {
  const written = cells.map(cell => ({
    ...cell,
    source: joinedText(cell.source).match(/[^\n]*\n|[^\n]+/g) ?? [],
  }));
  return `${JSON.stringify(sorted({ ...frame, cells: written }), null, 1)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
