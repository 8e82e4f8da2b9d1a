/*
 * Files that a server has open, each time as they stand now: every question begins with a scan of all of them, so that
 * no answer is about an older text. A document's version grows with each text that the server is told.
 */

import { FileError, type FileSystem } from '../platform/fileSystem.ts';
import type { Connection } from './connection.ts';
import { toUri } from './places.ts';

export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

/** A server holds no more files open; the one that was asked about longest ago is closed. */
const maxOpen = 60;
/** Bytes; a longer file is data. */
const largest = 4_000_000;

export class Documents {
  private readonly connection: Pick<Connection, 'notify'>;
  private readonly files: Pick<FileSystem, 'readText' | 'readSaved' | 'decode' | 'stat'>;
  private readonly languageOf: (path: string) => string;
  /** By absolute path, the newest last. */
  private readonly open = new Map<string, OpenDocument>();
  private readonly versions = new Map<string, number>();

  constructor(
    connection: Pick<Connection, 'notify'>,
    files: Pick<FileSystem, 'readText' | 'readSaved' | 'decode' | 'stat'>,
    languageOf: (path: string) => string,
  ) {
    this.connection = connection;
    this.files = files;
    this.languageOf = languageOf;
  }

  get paths(): readonly string[] {
    return [...this.open.keys()];
  }

  find(path: string): OpenDocument | undefined {
    return this.open.get(path);
  }

  /** Tells the server what changed of the open files. True: something did. */
  async refresh(): Promise<boolean> {
    const reported = await Promise.all(this.paths.map(path => this.reportChange(path)));
    return reported.includes(true);
  }

  /** Opens the file as it stands now; `undefined`: there is no such text. */
  async show(path: string): Promise<OpenDocument | undefined> {
    await this.reportChange(path);
    const before = this.open.get(path);
    if (before) {
      this.open.delete(path);
      this.open.set(path, before);
      return before;
    }
    const text = await this.read(path);
    if (text === undefined) return undefined;
    const document = this.keep(path, text);
    const { uri, version } = document;
    const languageId = this.languageOf(path);
    this.connection.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    const [oldest] = this.paths;
    if (this.open.size > maxOpen && oldest !== undefined) this.close(oldest);
    return document;
  }

  /** Files whose text in somebody's editor is not that of the disk: opened, since a server reads the disk. */
  async showUnsaved(paths: readonly string[]): Promise<boolean> {
    const closed = paths.filter(path => !this.open.has(path));
    const unsaved = await Promise.all(closed.map(path => this.isUnsaved(path)));
    const meant = closed.filter((_path, index) => unsaved[index]);
    for (const path of meant) await this.show(path);
    return meant.length > 0;
  }

  /** As the server has it, else as it stands on the disk; `undefined`: there is no such text. */
  async textOf(path: string): Promise<string | undefined> {
    return this.open.get(path)?.text ?? (await this.read(path));
  }

  private async reportChange(path: string): Promise<boolean> {
    const before = this.open.get(path);
    if (!before) return false;
    const text = await this.read(path);
    // Questions may be asked side by side: another one may have reported it meanwhile.
    if (this.open.get(path) !== before || text === before.text) return false;
    if (text === undefined) {
      this.close(path);
      return true;
    }
    const { uri, version } = this.keep(path, text);
    this.connection.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    // Some servers look for problems when a file is saved, and what is read here is saved.
    this.connection.notify('textDocument/didSave', { textDocument: { uri }, text });
    return true;
  }

  private keep(path: string, text: string): OpenDocument {
    const version = (this.versions.get(path) ?? 0) + 1;
    const document = { uri: toUri(path), version, text };
    this.versions.set(path, version);
    this.open.set(path, document);
    return document;
  }

  private close(path: string): void {
    this.open.delete(path);
    this.connection.notify('textDocument/didClose', { textDocument: { uri: toUri(path) } });
  }

  private async isUnsaved(path: string): Promise<boolean> {
    const text = await this.read(path);
    if (text === undefined) return false;
    return (await this.files.decode(path, await this.files.readSaved(path)))?.text !== text;
  }

  private async read(path: string): Promise<string | undefined> {
    try {
      const stat = await this.files.stat(path);
      if (stat?.kind !== 'file' || stat.size > largest) return undefined;
      return (await this.files.readText(path)).text;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }
}
