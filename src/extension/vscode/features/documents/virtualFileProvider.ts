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

/** Virtual files without folders. Users cannot create, move or delete them. */
export abstract class VirtualFileProvider implements FileSystemProvider {
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

/** Returns a later modification time, or VS Code would consider the file unchanged. */
export function nextMtime(before = 0): number {
  return Math.max(Date.now(), before + 1);
}
