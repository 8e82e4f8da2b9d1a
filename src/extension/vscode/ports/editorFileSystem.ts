/*
 * Files as VS Code has them. Reads return unsaved buffers; text is written through the editor, so that undo, language
 * tools and formatters take part. An editor has one line ending and one encoding per file. If writing through it would
 * change other bytes, the write goes to the underlying file system:
 *
 *   no such file, mixed line endings, other endings than before, another encoding than the editor's,
 *   UTF-16 without the byte-order mark that an editor would add, buffer differs from the file, very large text,
 *   one of many, and no editor has it open                         ──► base (atomic)
 *   else                                                           ──► WorkspaceEdit and save
 *   unsaved buffer                                                 ──► always WorkspaceEdit and save
 *   notebook that is open in a notebook editor                     ──► NotebookEdit and save
 */

import { basename, relative, sep } from 'node:path';
import { EndOfLine, type TextDocument, Uri, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { once } from '../../base/once.ts';
import { folderContains } from '../../core/folderPaths.ts';
import { isNotebookPath } from '../../notebooks/findFault.ts';
import { isSameFormat } from '../../platform/fileEncodings.ts';
import {
  type DirectoryEntry,
  FileError,
  type FileStat,
  type FileSystem,
  type PreloadedFile,
  type TextFile,
  type TextFormat,
  utf8Format,
} from '../../platform/fileSystem.ts';
import { lineEndingOf } from '../textSpan.ts';
import type { EditorWriter } from './editorWriter.ts';
import type { OpenNotebooks } from './openNotebooks.ts';
import type { VscodeEditor } from './vscodeEditor.ts';

/** Characters. Beyond this VS Code disables most editor features. */
const editorLimit = 10_000_000;

export class EditorFileSystem implements FileSystem {
  private readonly base: FileSystem;
  private readonly notebooks: () => Promise<OpenNotebooks>;
  private readonly editor: Pick<VscodeEditor, 'whileFolioWrites'>;
  private readonly writes: () => Promise<EditorWriter>;
  /** The real paths of documents that are being written. */
  private readonly writing = new Map<TextDocument, string>();
  /** Versions of documents that changed while being saved: they report as saved, but are not. */
  private readonly changedAmidSave = new WeakMap<TextDocument, number>();

  constructor(base: FileSystem, editor: Pick<VscodeEditor, 'whileFolioWrites'>) {
    this.base = base;
    this.notebooks = once(async () => new (await import('./openNotebooks.ts')).OpenNotebooks(base));
    this.writes = once(async () => new (await import('./editorWriter.ts')).EditorWriter());
    this.editor = editor;
  }

  realPath(path: string): Promise<string> {
    return this.base.realPath(path);
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.base.stat(path);
  }

  readLink(path: string): Promise<string | undefined> {
    return this.base.readLink(path);
  }

  list(path: string): Promise<readonly DirectoryEntry[]> {
    return this.base.list(path);
  }

  async readBytes(path: string): Promise<Uint8Array> {
    const cells = await this.readUnsavedCells(path);
    if (cells !== undefined) return Buffer.from(cells);
    const unsaved = await this.findUnsaved(path);
    if (!unsaved) return this.base.readBytes(path);
    return workspace.encode(unsaved.getText(), { encoding: unsaved.encoding });
  }

  readSaved(path: string): Promise<Uint8Array> {
    return this.base.readSaved(path);
  }

  async readText(path: string, known?: PreloadedFile): Promise<TextFile> {
    const cells = await this.readUnsavedCells(path);
    if (cells !== undefined) return { text: cells, format: utf8Format };
    const unsaved = await this.findUnsaved(path);
    return unsaved ? { text: unsaved.getText(), format: formatOf(unsaved) } : this.base.readText(path, known);
  }

  decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined> {
    return this.base.decode(path, bytes);
  }

  encode(path: string, text: string, format: TextFormat): Promise<Uint8Array> {
    return this.base.encode(path, text, format);
  }

  newFormat(path: string): Promise<TextFormat> {
    return this.base.newFormat(path);
  }

  async writeText(
    path: string,
    text: string,
    format: TextFormat,
    expected?: string | null,
    amid?: 'many',
  ): Promise<void> {
    if (isNotebookPath(path) && (await this.writeCells(path, text, expected))) return;
    const unsaved = await this.findUnsaved(path);
    if (unsaved) {
      if (expected !== undefined && unsaved.getText() !== expected) throw changedError(path);
      // VS Code would write a question mark for each character that the encoding lacks.
      await this.encode(path, text, formatOf(unsaved));
      return this.writeDocument(unsaved, text, path);
    }
    const isWorthIt = amid !== 'many' || (await this.isOpen(path));
    const document = isWorthIt ? await this.findEditable(path, text, format) : undefined;
    if (!document) return this.base.writeText(path, text, format, expected);
    // The document equals the file here: `findEditable` has compared them.
    if (expected !== undefined && document.getText() !== expected) throw changedError(path);
    await this.encode(path, text, format);
    return this.writeDocument(document, text, path);
  }

  writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    return this.base.writeBytes(path, bytes);
  }

  delete(path: string): Promise<void> {
    return this.base.delete(path);
  }

  writeLink(path: string, target: string): Promise<void> {
    return this.base.writeLink(path, target);
  }

  setExecutable(path: string, executable: boolean): Promise<void> {
    return this.base.setExecutable(path, executable);
  }

  private async writeDocument(document: TextDocument, text: string, path: string): Promise<void> {
    const writes = await this.writes();
    this.writing.set(document, path);
    try {
      const isWritten = await this.editor.whileFolioWrites(document, () =>
        writes.write(document, text, path),
      );
      if (!isWritten) throw changedError(path);
      if (document.getText() !== text) this.changedAmidSave.set(document, document.version);
    } finally {
      this.writing.delete(document);
    }
  }

  private async readUnsavedCells(path: string): Promise<string | undefined> {
    return isNotebookPath(path) ? (await this.notebooks()).readUnsaved(path) : undefined;
  }

  /** Returns false if no notebook editor has the file open. */
  private async writeCells(
    path: string,
    text: string,
    expected: string | null | undefined,
  ): Promise<boolean> {
    const notebooks = await this.notebooks();
    if (!(await notebooks.find(path))) return false;
    const { text: present } = await this.readText(path);
    if (expected !== undefined && present !== expected) throw changedError(path);
    return notebooks.write(path, present, text);
  }

  private isUnsaved(document: TextDocument): boolean {
    return document.isDirty || this.changedAmidSave.get(document) === document.version;
  }

  private async findUnsaved(path: string): Promise<TextDocument | undefined> {
    const unsaved = workspace.textDocuments.filter(
      document => this.isUnsaved(document) && !document.isClosed && document.uri.scheme === 'file',
    );
    for (const document of unsaved) {
      if (document.uri.fsPath === path) return document;
      // A workspace may be opened through a symlink, while paths are resolved.
      const real = this.writing.get(document) ?? (await this.base.realPath(document.uri.fsPath));
      if (real === path) return document;
    }
    return undefined;
  }

  private async isOpen(path: string): Promise<boolean> {
    const isNamed = ({ uri }: TextDocument) =>
      basename(uri.fsPath).toLowerCase() === basename(path).toLowerCase();
    if (!workspace.textDocuments.some(isNamed)) return false;
    const wanted = (await findUri(path, file => this.base.realPath(file))).toString();
    return workspace.textDocuments.some(({ uri }) => uri.toString() === wanted);
  }

  /** Returns the document through which exactly these bytes can be written, if any. */
  private async findEditable(
    path: string,
    text: string,
    format: TextFormat,
  ): Promise<TextDocument | undefined> {
    if (text.length > editorLimit || text.includes('\0')) return undefined;
    if ((await this.base.stat(path))?.kind !== 'file') return undefined;
    const present = await this.base.readText(path);
    if (!isSameFormat(present.format, format)) return undefined;
    const [before, after] = [lineEndingOf(present.text), lineEndingOf(text)];
    if (before === 'mixed' || after === 'mixed' || present.text.length > editorLimit) return undefined;
    const document = await this.openDocument(path);
    if (!document) return undefined;
    const eol = document.eol === EndOfLine.CRLF ? 'crlf' : 'lf';
    if ((after !== 'none' && after !== eol) || !isSameFormat(formatOf(document), format)) return undefined;
    return document.getText() === present.text ? document : undefined;
  }

  private async openDocument(path: string): Promise<TextDocument | undefined> {
    try {
      return await workspace.openTextDocument(await findUri(path, file => this.base.realPath(file)));
    } catch {
      // VS Code takes the file for binary or too large, so it is written without the editor.
      return undefined;
    }
  }
}

/** Returns VS Code's URI of a file, which differs from its path if a workspace folder is a symbolic link. */
export async function findUri(path: string, realPath: (path: string) => Promise<string>): Promise<Uri> {
  for (const folder of workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    const root = await realPath(folder.uri.fsPath);
    if (folderContains(root, path)) return Uri.joinPath(folder.uri, ...relative(root, path).split(sep));
  }
  return Uri.file(path);
}

function changedError(path: string): FileError {
  return new FileError('changed', path, () => t('{0} has changed since it was read.', path));
}

/** Returns the format in which VS Code saves the document. */
function formatOf({ encoding }: TextDocument): TextFormat {
  if (encoding === 'utf8bom') return { encoding: 'utf8', bom: true };
  return { encoding, bom: encoding === 'utf16le' || encoding === 'utf16be' };
}
