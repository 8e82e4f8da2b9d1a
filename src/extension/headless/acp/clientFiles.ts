/*
 * Reads and writes files through the client: unsaved text in its editor wins, and its undo covers our writes. Clients
 * transfer only text, so the file system is used directly
 *
 *   for files outside of the session's folders, for bytes, and if the client cannot or will not answer;
 *   to write anything but plain UTF-8 with line feeds, since a client may write other line endings or a BOM.
 */

import { type FileSystemCapabilities, methods } from '@agentclientprotocol/sdk';
import { messageOf } from '../../base/errors.ts';
import { folderContains } from '../../core/folderPaths.ts';
import {
  FileError,
  type FileSystem,
  type PreloadedFile,
  type TextFile,
  type TextFormat,
} from '../../platform/fileSystem.ts';
import type { SessionClient } from './sessionClient.ts';

export class ClientFiles implements FileSystem {
  private readonly disk: FileSystem;
  private readonly client: SessionClient;
  private readonly folders: readonly string[];
  private readonly can: FileSystemCapabilities;

  constructor(disk: FileSystem, client: SessionClient, folders: readonly string[]) {
    this.disk = disk;
    this.client = client;
    this.folders = folders;
    this.can = client.capabilities.fs ?? {};
  }

  realPath = (path: string) => this.disk.realPath(path);
  stat = (path: string) => this.disk.stat(path);
  readLink = (path: string) => this.disk.readLink(path);
  list = (path: string) => this.disk.list(path);
  readSaved = (path: string) => this.disk.readSaved(path);
  decode = (path: string, bytes: Uint8Array) => this.disk.decode(path, bytes);
  encode = (path: string, text: string, format: TextFormat) => this.disk.encode(path, text, format);
  newFormat = (path: string) => this.disk.newFormat(path);
  writeBytes = (path: string, bytes: Uint8Array) => this.disk.writeBytes(path, bytes);
  delete = (path: string) => this.disk.delete(path);
  writeLink = (path: string, target: string) => this.disk.writeLink(path, target);
  setExecutable = (path: string, executable: boolean) => this.disk.setExecutable(path, executable);

  async readBytes(path: string): Promise<Uint8Array> {
    const bytes = await this.disk.readBytes(path);
    if (!this.isReadable(path)) return bytes;
    const saved = await this.disk.readText(path).catch(() => undefined);
    // A file that is no text has no unsaved text either.
    const present = saved && (await this.unsaved(path, saved));
    return present === undefined ? bytes : this.encode(path, present, saved!.format);
  }

  async readText(path: string, known?: PreloadedFile): Promise<TextFile> {
    const saved = await this.disk.readText(path, known);
    const present = this.isReadable(path) ? await this.unsaved(path, saved) : undefined;
    return present === undefined ? saved : { text: present, format: saved.format };
  }

  async writeText(path: string, text: string, format: TextFormat, expected?: string | null): Promise<void> {
    if (!this.isWritable(path) || !(await this.isPlain(path, text, format))) {
      return this.disk.writeText(path, text, format, expected);
    }
    if (expected !== undefined && (await this.presentText(path)) !== expected) {
      throw new FileError('changed', path, () => `${path} has changed since it was read.`);
    }
    const sessionId = this.client.begun();
    const params = { sessionId, path, content: text };
    await this.client.context.request(methods.client.fs.writeTextFile, params).catch((error: unknown) => {
      throw new FileError(
        'other',
        path,
        () => `The client did not write ${path}: ${messageOf(error)}`,
        error,
      );
    });
  }

  private isReadable(path: string): boolean {
    return this.can.readTextFile === true && this.isShared(path);
  }

  private isWritable(path: string): boolean {
    return this.can.writeTextFile === true && this.isShared(path);
  }

  private isShared(path: string): boolean {
    return this.client.sessionId !== undefined && this.folders.some(folder => folderContains(folder, path));
  }

  private async presentText(path: string): Promise<string | null> {
    try {
      return (await this.readText(path)).text;
    } catch (error) {
      if (error instanceof FileError && error.kind === 'notFound') return null;
      throw error;
    }
  }

  /** Both what stands there and what shall stand there are bytes that any program writes alike. */
  private async isPlain(path: string, text: string, { encoding, bom }: TextFormat): Promise<boolean> {
    if (encoding !== 'utf8' || bom || text.includes('\r')) return false;
    const before = await this.presentText(path);
    return before === null || !before.includes('\r');
  }

  /** The text in the client's editor where it is another one than on the disk. */
  private async unsaved(path: string, saved: TextFile): Promise<string | undefined> {
    // The client may read an encoding that no mark tells in another way.
    if (saved.format.encoding !== 'utf8' && !saved.format.bom) return undefined;
    const content = await this.ask(path);
    if (content === undefined || content === saved.text) return undefined;
    const isWindows = saved.text.includes('\r\n');
    if (!isWindows) return content;
    // An editor may know line feeds alone, and writes the endings of the file when it saves.
    const withEndings = content.replace(/\r?\n/g, '\r\n');
    return withEndings === saved.text ? undefined : withEndings;
  }

  private async ask(path: string): Promise<string | undefined> {
    try {
      const sessionId = this.client.begun();
      const read = this.client.context.request(methods.client.fs.readTextFile, { sessionId, path });
      return (await read).content;
    } catch {
      // It keeps some files to itself, or has gone: the disk has the saved text.
      return undefined;
    }
  }
}
