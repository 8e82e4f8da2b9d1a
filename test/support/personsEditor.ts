import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import {
  FileError,
  plainText,
  type TextFile,
  type TextFormat,
} from '../../src/extension/platform/fileSystem.ts';
import type { OtherWrite, OtherWriters } from '../../src/extension/platform/otherWriters.ts';
import { encodeText } from '../../src/extension/platform/textBytes.ts';

/** Real files, and a person who types into buffers over them and saves. */
export class PersonsEditor extends NodeFileSystem implements OtherWriters {
  private readonly buffers = new Map<string, TextFile>();
  private readonly listeners = new Set<(write: OtherWrite) => void>();

  listen(heard: (write: OtherWrite) => void): () => Promise<void> {
    // A wrapper, so that one function can listen twice.
    const listener = (write: OtherWrite) => heard(write);
    this.listeners.add(listener);
    return async () => {
      this.listeners.delete(listener);
    };
  }

  /** Nothing of it is on the disk yet. */
  async type(path: string, change: (text: string) => string): Promise<void> {
    const { text, format } = await this.readText(path).catch(() => ({ text: '', format: plainText }));
    this.buffers.set(path, { text: change(text), format });
  }

  /** @param format what a formatter makes of it */
  async save(path: string, format = (text: string) => text): Promise<void> {
    const buffer = this.buffers.get(path);
    if (!buffer) return;
    const before = (await this.stat(path)) ? await this.readSaved(path) : null;
    const text = format(buffer.text);
    await super.writeText(path, text, buffer.format);
    this.buffers.delete(path);
    const after = encodeText(text, buffer.format)!;
    for (const tell of this.listeners) tell({ path, before, after });
  }

  /** Takes what is on the disk. */
  revert(path: string): void {
    this.buffers.delete(path);
  }

  override async readBytes(path: string): Promise<Uint8Array> {
    const buffer = this.buffers.get(path);
    return buffer ? encodeText(buffer.text, buffer.format)! : super.readBytes(path);
  }

  override readSaved(path: string): Promise<Uint8Array> {
    return super.readBytes(path);
  }

  override async readText(path: string): Promise<TextFile> {
    return this.buffers.get(path) ?? super.readText(path);
  }

  override async writeText(
    path: string,
    text: string,
    format: TextFormat,
    expected?: string | null,
  ): Promise<void> {
    const buffer = this.buffers.get(path);
    if (!buffer) return super.writeText(path, text, format, expected);
    if (expected !== undefined && buffer.text !== expected)
      throw new FileError('changed', path, `${path} has changed since it was read.`);
    await super.writeText(path, text, format);
    this.buffers.delete(path);
  }
}
