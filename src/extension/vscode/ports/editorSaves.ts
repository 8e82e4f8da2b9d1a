/*
 * Reports saves of a window's editors, including formatting on save: the bytes on disk before and after. Includes
 * Folio's own saves, which listeners know already.
 */

import {
  type NotebookDocument,
  type NotebookDocumentWillSaveEvent,
  type TextDocument,
  type TextDocumentWillSaveEvent,
  workspace,
} from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ConcurrentWrite, ConcurrentWrites } from '../../platform/concurrentWrites.ts';
import { FileError, type FileSystem } from '../../platform/fileSystem.ts';

/** Failed saves are never reported. This limits the wait for one, milliseconds. */
const maxSaveMs = 2000;

type Disk = Pick<FileSystem, 'realPath' | 'stat' | 'readSaved'>;

export class EditorSaves implements ConcurrentWrites {
  private readonly disk: Disk;

  constructor(disk: Disk) {
    this.disk = disk;
  }

  listen(heard: (write: ConcurrentWrite) => void): () => Promise<void> {
    const store = new DisposableStore();
    const saves = new OpenSaves(this.disk, heard);
    store.add(workspace.onWillSaveTextDocument(saves.begin));
    store.add(workspace.onWillSaveNotebookDocument(saves.begin));
    store.add(workspace.onDidSaveTextDocument(document => saves.end(document, encode(document))));
    store.add(workspace.onDidSaveNotebookDocument(notebook => saves.end(notebook)));
    return async () => {
      await saves.settle();
      store.dispose();
    };
  }
}

class OpenSaves {
  private readonly disk: Disk;
  private readonly heard: (write: ConcurrentWrite) => void;
  private readonly begun = new Map<TextDocument | NotebookDocument, Promise<ConcurrentWrite['before']>>();
  /** Reports saves in order. */
  private notifying: Promise<void> = Promise.resolve();
  private ended: () => void = () => {};

  constructor(disk: Disk, heard: (write: ConcurrentWrite) => void) {
    this.disk = disk;
    this.heard = heard;
  }

  readonly begin = (event: TextDocumentWillSaveEvent | NotebookDocumentWillSaveEvent): void => {
    const saved = 'document' in event ? event.document : event.notebook;
    if (saved.uri.scheme !== 'file') return;
    const reading = this.read(saved.uri.fsPath);
    this.begun.set(saved, reading);
    // The save waits until the old bytes are read.
    event.waitUntil(reading.then(() => undefined));
  };

  end(saved: TextDocument | NotebookDocument, after?: Thenable<Uint8Array>): void {
    if (saved.uri.scheme !== 'file') return;
    const before = this.begun.get(saved);
    this.notifying = this.notifying.then(async () => {
      const path = saved.uri.fsPath;
      const bytes = (await after) ?? (await this.read(path));
      if (bytes !== undefined)
        this.heard({ path: await this.disk.realPath(path), before: await before, after: bytes });
      this.begun.delete(saved);
      if (this.begun.size === 0) this.ended();
    });
  }

  async settle(): Promise<void> {
    if (this.begun.size > 0) {
      await new Promise<void>(resolve => {
        this.ended = resolve;
        setTimeout(resolve, maxSaveMs);
      });
    }
    await this.notifying;
  }

  private async read(path: string): Promise<ConcurrentWrite['before']> {
    try {
      return (await this.disk.stat(path)) ? await this.disk.readSaved(path) : null;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }
}

function encode(document: TextDocument): Thenable<Uint8Array> {
  return workspace.encode(document.getText(), { encoding: document.encoding });
}
