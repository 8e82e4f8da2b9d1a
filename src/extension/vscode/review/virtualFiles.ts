import { FileChangeType, FilePermission, type FileStat, FileSystemError, FileType, type Uri } from 'vscode';
import { nextMtime, VirtualFileProvider } from '../features/documents/virtualFileProvider.ts';

interface VirtualFile {
  readonly bytes: Uint8Array;
  readonly locked: boolean;
  readonly writtenAt: number;
}

/** Texts in memory for the sides of a diff editor, in UTF-8. A locked one is read-only. */
export class VirtualFiles extends VirtualFileProvider {
  private readonly files = new Map<string, VirtualFile>();

  put(uri: Uri, text: string, access: 'locked' | 'writable'): void {
    const isNew = !this.files.has(uri.toString());
    this.set(uri, { bytes: new TextEncoder().encode(text), locked: access === 'locked' });
    this.changed.fire([{ type: isNew ? FileChangeType.Created : FileChangeType.Changed, uri }]);
  }

  /** Does nothing if the file does not exist. */
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

  private set(uri: Uri, file: Omit<VirtualFile, 'writtenAt'>): void {
    const writtenAt = nextMtime(this.files.get(uri.toString())?.writtenAt);
    this.files.set(uri.toString(), { ...file, writtenAt });
  }

  private find(uri: Uri): VirtualFile {
    const file = this.files.get(uri.toString());
    if (!file) throw FileSystemError.FileNotFound(uri);
    return file;
  }
}
