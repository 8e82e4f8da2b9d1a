import {
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
} from 'vscode';
import { toDisposable } from '../../../base/disposable.ts';

/** Files of ours that lie in no folder: nobody makes, moves or deletes one by hand. */
export abstract class LooseFiles implements FileSystemProvider {
  protected readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  abstract stat(uri: Uri): FileStat | Promise<FileStat>;
  abstract readFile(uri: Uri): Uint8Array | Promise<Uint8Array>;
  abstract writeFile(uri: Uri, bytes: Uint8Array): void | Promise<void>;

  watch() {
    return toDisposable(() => undefined);
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }
}

/** When a file is written: a later text must have a later time, or VS Code takes the file for unchanged. */
export function timeAfter(before = 0): number {
  return Math.max(Date.now(), before + 1);
}
