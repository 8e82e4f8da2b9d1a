import {
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Uri,
} from 'vscode';
import { toDisposable } from '../../base/disposable.ts';

interface VirtualFile {
  readonly bytes: Uint8Array;
  readonly locked: boolean;
  readonly writtenAt: number;
}

/** Texts that exist in memory only, for the sides of a diff editor, in UTF-8; a locked one cannot be typed in. */
export class VirtualFiles implements FileSystemProvider {
  private readonly files = new Map<string, VirtualFile>();
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  put(uri: Uri, text: string, access: 'locked' | 'writable'): void {
    const isNew = !this.files.has(uri.toString());
    this.set(uri, { bytes: new TextEncoder().encode(text), locked: access === 'locked' });
    this.changed.fire([{ type: isNew ? FileChangeType.Created : FileChangeType.Changed, uri }]);
  }

  /** Nothing happens when the file is not there. */
  lock(uri: Uri): void {
    const file = this.files.get(uri.toString());
    if (!file || file.locked) return;
    this.set(uri, { bytes: file.bytes, locked: true });
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  remove(uri: Uri): void {
    this.files.delete(uri.toString());
  }

  stat(uri: Uri): FileStat {
    const { bytes, locked, writtenAt } = this.find(uri);
    const permissions = locked ? FilePermission.Readonly : undefined;
    return { type: FileType.File, ctime: 0, mtime: writtenAt, size: bytes.length, permissions };
  }

  readFile(uri: Uri): Uint8Array {
    return this.find(uri).bytes;
  }

  writeFile(uri: Uri, bytes: Uint8Array): void {
    if (this.find(uri).locked) throw FileSystemError.NoPermissions(uri);
    this.set(uri, { bytes, locked: false });
    this.changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

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

  private set(uri: Uri, file: Omit<VirtualFile, 'writtenAt'>): void {
    // A later write must have a later time, or VS Code takes the file for unchanged.
    const before = this.files.get(uri.toString())?.writtenAt ?? 0;
    this.files.set(uri.toString(), { ...file, writtenAt: Math.max(Date.now(), before + 1) });
  }

  private find(uri: Uri): VirtualFile {
    const file = this.files.get(uri.toString());
    if (!file) throw FileSystemError.FileNotFound(uri);
    return file;
  }
}
