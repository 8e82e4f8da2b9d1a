import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import type { ConcurrentWrite, ConcurrentWrites } from '../../src/extension/platform/concurrentWrites.ts';
import {
  type DirectoryEntry,
  FileError,
  type FileStat,
  type FileSystem,
  type PreloadedFile,
  type TextFile,
  type TextFormat,
  utf8Format,
} from '../../src/extension/platform/fileSystem.ts';

/** Files with a user who types into editor buffers and saves. */
export class UserEditor implements FileSystem, ConcurrentWrites {
  private readonly disk: FileSystem;
  private readonly buffers = new Map<string, TextFile>();
  private readonly listeners = new Set<(write: ConcurrentWrite) => void>();
  private held: (() => void)[] | undefined;

  /** @param disk default: the real file system */
  constructor(disk: FileSystem = new NodeFileSystem()) {
    this.disk = disk;
  }

  listen(heard: (write: ConcurrentWrite) => void): () => Promise<void> {
    // A wrapper, so that one function can listen twice.
    const listener = (write: ConcurrentWrite) => heard(write);
    this.listeners.add(listener);
    return async () => {
      this.listeners.delete(listener);
    };
  }

  /** Types into a buffer without saving. */
  async type(path: string, change: (text: string) => string): Promise<void> {
    const { text, format } = await this.readText(path).catch(() => ({ text: '', format: utf8Format }));
    this.buffers.set(path, { text: change(text), format });
  }

  /** @param format formatter that runs on save */
  async save(path: string, format = (text: string) => text): Promise<void> {
    const buffer = this.buffers.get(path);
    if (!buffer) return;
    const notify = await this.beginSave(path);
    const text = format(buffer.text);
    await this.disk.writeText(path, text, buffer.format);
    this.buffers.delete(path);
    notify(await this.encode(path, text, buffer.format));
  }

  /** As in a window, who begins to listen while a save runs hears of it, but not what it found. */
  private async beginSave(path: string): Promise<(after: Uint8Array) => void> {
    const before = (await this.stat(path)) ? await this.readSaved(path) : null;
    const known = new Set(this.listeners);
    return after => {
      for (const listener of this.listeners)
        listener({ path, before: known.has(listener) ? before : undefined, after });
    };
  }

  /** Saves of Folio are reported when what it returns is called. */
  holdReports(): () => void {
    const held: (() => void)[] = [];
    this.held = held;
    return () => {
      this.held = undefined;
      for (const report of held) report();
    };
  }

  /** Reverts the buffer to the file. */
  revert(path: string): void {
    this.buffers.delete(path);
  }

  async readBytes(path: string): Promise<Uint8Array> {
    const buffer = this.buffers.get(path);
    return buffer ? this.encode(path, buffer.text, buffer.format) : this.disk.readBytes(path);
  }

  readSaved(path: string): Promise<Uint8Array> {
    return this.disk.readBytes(path);
  }

  async readText(path: string, known?: PreloadedFile): Promise<TextFile> {
    return this.buffers.get(path) ?? this.disk.readText(path, known);
  }

  async writeText(path: string, text: string, format: TextFormat, expected?: string | null): Promise<void> {
    const notify = await this.beginSave(path);
    const buffer = this.buffers.get(path);
    if (buffer) {
      if (expected !== undefined && buffer.text !== expected)
        throw new FileError('changed', path, () => `${path} has changed since it was read.`);
      await this.disk.writeText(path, text, format);
      this.buffers.delete(path);
    } else await this.disk.writeText(path, text, format, expected);
    const after = await this.encode(path, text, format);
    // VS Code reports saves of extensions too (`onDidSaveTextDocument`), and later than these hear of it.
    if (this.held) this.held.push(() => notify(after));
    else setTimeout(() => notify(after), 20);
  }

  decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined> {
    return this.disk.decode(path, bytes);
  }

  encode(path: string, text: string, format: TextFormat): Promise<Uint8Array> {
    return this.disk.encode(path, text, format);
  }

  newFormat(path: string): Promise<TextFormat> {
    return this.disk.newFormat(path);
  }

  realPath(path: string): Promise<string> {
    return this.disk.realPath(path);
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.disk.stat(path);
  }

  readLink(path: string): Promise<string | undefined> {
    return this.disk.readLink(path);
  }

  list(path: string): Promise<readonly DirectoryEntry[]> {
    return this.disk.list(path);
  }

  writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    return this.disk.writeBytes(path, bytes);
  }

  delete(path: string): Promise<void> {
    return this.disk.delete(path);
  }

  writeLink(path: string, target: string): Promise<void> {
    return this.disk.writeLink(path, target);
  }

  setExecutable(path: string, executable: boolean): Promise<void> {
    return this.disk.setExecutable(path, executable);
  }
}
