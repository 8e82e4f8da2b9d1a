/*
 * Files that a server has open. Every request first synchronises all of them, so that no answer is about outdated text.
 * The version of a document increases with each text sent.
 */

import { FileError, type FileSystem } from '../platform/fileSystem.ts';
import type { LanguageServerConnection } from './connection.ts';
import { toUri } from './places.ts';

export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

/** Maximal number of open files. The least recently used one is closed. */
const maxOpen = 60;
/** Bytes. Longer files are data. */
const largest = 4_000_000;

export class OpenDocuments {
  private readonly connection: Pick<LanguageServerConnection, 'notify'>;
  private readonly files: Pick<FileSystem, 'readText' | 'readSaved' | 'decode' | 'stat'>;
  private readonly languageOf: (path: string) => string;
  /** By absolute path, newest last. */
  private readonly open = new Map<string, OpenDocument>();
  private readonly versions = new Map<string, number>();

  constructor(
    connection: Pick<LanguageServerConnection, 'notify'>,
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

  /** Sends changes of the open files to the server. Returns true if there were any. */
  async refresh(): Promise<boolean> {
    const reported = await Promise.all(this.paths.map(path => this.reportChange(path)));
    return reported.includes(true);
  }

  /** Opens the file with its current text; `undefined` if it is no readable text. */
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

  /** Opens files with unsaved changes, since a server reads from the file system. Returns true if there were any. */
  async showUnsaved(paths: readonly string[]): Promise<boolean> {
    const closed = paths.filter(path => !this.open.has(path));
    const unsaved = await Promise.all(closed.map(path => this.isUnsaved(path)));
    const meant = closed.filter((_path, index) => unsaved[index]);
    for (const path of meant) await this.show(path);
    return meant.length > 0;
  }

  /** Returns the text that the server has, else the file's with unsaved edits; `undefined` if it cannot be read. */
  async textOf(path: string): Promise<string | undefined> {
    return this.open.get(path)?.text ?? (await this.read(path));
  }

  private async reportChange(path: string): Promise<boolean> {
    const before = this.open.get(path);
    if (!before) return false;
    const text = await this.read(path);
    // A concurrent request may have reported it already.
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
    // Some servers check for problems only on save, and the text read here is saved.
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
