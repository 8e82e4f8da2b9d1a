import { posix } from 'node:path';
import { TextCodec } from '../../src/extension/node/files/textCodec.ts';
import {
  type DirectoryEntry,
  FileError,
  type FileErrorKind,
  type FileStat,
  type FileSystem,
  type PreloadedFile,
  type TextFile,
  type TextFormat,
} from '../../src/extension/platform/fileSystem.ts';

type Node =
  | {
      readonly kind: 'file';
      readonly bytes: Uint8Array;
      readonly modifiedAt: number;
      readonly executable: boolean;
    }
  | { readonly kind: 'directory'; readonly modifiedAt: number }
  | { readonly kind: 'link'; readonly target: string };

/** A file system in memory, with symlinks. Time is the count of changes. */
export class MemoryFileSystem implements FileSystem {
  /** Every path that was written or deleted, in order. */
  readonly changes: string[] = [];
  /** Set by a test: the next write fails with it and changes nothing. */
  failNextWrite: FileErrorKind | undefined;
  private readonly nodes = new Map<string, Node>([['/', { kind: 'directory', modifiedAt: 0 }]]);
  private time = 0;
  private readonly codec = new TextCodec();

  constructor(contents: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(contents)) {
      this.put(this.follow(path), typeof content === 'string' ? Buffer.from(content) : content);
    }
    this.changes.length = 0;
  }

  symlink(target: string, path: string): void {
    this.makeFolder(posix.dirname(path), path);
    this.nodes.set(path, { kind: 'link', target });
  }

  makeDirectory(path: string): void {
    this.makeFolder(this.follow(path), path);
  }

  /** The bytes that stand there, without any port semantics; `undefined`: no file. */
  bytes(path: string): Buffer | undefined {
    const node = this.nodes.get(this.follow(path));
    return node?.kind === 'file' ? Buffer.from(node.bytes) : undefined;
  }

  async realPath(path: string): Promise<string> {
    return this.follow(path);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const node = this.nodes.get(this.follow(path));
    if (!node || node.kind === 'link') return undefined;
    return {
      kind: node.kind,
      size: node.kind === 'file' ? node.bytes.length : 0,
      modifiedAt: node.modifiedAt,
      executable: node.kind === 'file' ? node.executable : undefined,
    };
  }

  async readLink(path: string): Promise<string | undefined> {
    const node = this.nodes.get(this.placeOf(path));
    return node?.kind === 'link' ? node.target : undefined;
  }

  async list(path: string): Promise<readonly DirectoryEntry[]> {
    const folder = this.follow(path);
    const node = this.nodes.get(folder);
    if (!node) throw failure('notFound', path);
    if (node.kind !== 'directory') throw failure('notDirectory', path);
    const children = [...this.nodes.keys()].filter(key => key !== '/' && posix.dirname(key) === folder);
    return Promise.all(
      children.map(async child => ({
        name: posix.basename(child),
        kind: (await this.stat(child))?.kind ?? 'other',
      })),
    );
  }

  async readBytes(path: string): Promise<Uint8Array> {
    const node = this.nodes.get(this.follow(path));
    if (!node || node.kind === 'link') throw failure(this.missingKind(path), path);
    if (node.kind === 'directory') throw failure('isDirectory', path);
    return Uint8Array.from(node.bytes);
  }

  async readSaved(path: string): Promise<Uint8Array> {
    return MemoryFileSystem.prototype.readBytes.call(this, path);
  }

  async readText(path: string, known?: PreloadedFile): Promise<TextFile> {
    const decoded = await this.decode(path, known?.bytes ?? (await this.readBytes(path)));
    if (!decoded) throw failure('notText', path);
    return decoded;
  }

  decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined> {
    return this.codec.decode(path, bytes);
  }

  encode(path: string, text: string, format: TextFormat): Promise<Uint8Array> {
    return this.codec.encode(path, text, format);
  }

  newFormat(path: string): Promise<TextFormat> {
    return this.codec.newFormat(path);
  }

  async writeText(path: string, text: string, format: TextFormat, expected?: string | null): Promise<void> {
    const real = this.follow(path);
    const bytes = await this.encode(path, text, format);
    if (expected !== undefined && (await this.textAt(real)) !== expected) throw failure('changed', path);
    this.write(real, bytes, path);
    this.codec.remember(path, format);
  }

  async writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    this.write(this.follow(path), bytes, path);
  }

  async delete(path: string): Promise<void> {
    const place = this.placeOf(path);
    const node = this.nodes.get(place);
    if (!node) return;
    if (node.kind === 'directory') throw failure('isDirectory', path);
    this.nodes.delete(place);
    this.changes.push(place);
  }

  async writeLink(path: string, target: string): Promise<void> {
    const place = this.placeOf(path);
    if (this.nodes.get(place)?.kind === 'directory') throw failure('isDirectory', path);
    this.symlink(target, place);
    this.changes.push(place);
  }

  async setExecutable(path: string, executable: boolean): Promise<void> {
    const real = this.follow(path);
    const node = this.nodes.get(real);
    if (node?.kind !== 'file') throw failure(node ? 'isDirectory' : 'notFound', path);
    this.nodes.set(real, { ...node, executable });
    this.changes.push(real);
  }

  private write(real: string, bytes: Uint8Array, asked: string): void {
    const failing = this.failNextWrite;
    this.failNextWrite = undefined;
    if (failing) throw failure(failing, asked);
    if (this.nodes.get(real)?.kind === 'directory') throw failure('isDirectory', asked);
    this.put(real, bytes);
  }

  private put(real: string, bytes: Uint8Array): void {
    this.makeFolder(posix.dirname(real), real);
    this.time += 1;
    const old = this.nodes.get(real);
    const executable = old?.kind === 'file' && old.executable;
    this.nodes.set(real, {
      kind: 'file',
      bytes: Uint8Array.from(bytes),
      modifiedAt: this.time,
      executable,
    });
    this.changes.push(real);
  }

  private makeFolder(folder: string, asked: string): void {
    const node = this.nodes.get(folder);
    if (node?.kind === 'directory') return;
    if (node) throw failure('notDirectory', asked);
    this.makeFolder(posix.dirname(folder), asked);
    this.nodes.set(folder, { kind: 'directory', modifiedAt: this.time });
  }

  /** `null`: nothing is there; `undefined`: something that is not text. */
  private async textAt(real: string): Promise<string | null | undefined> {
    const node = this.nodes.get(real);
    if (!node) return null;
    return node.kind === 'file' ? (await this.decode(real, node.bytes))?.text : undefined;
  }

  private missingKind(path: string): FileErrorKind {
    for (let folder = posix.dirname(this.follow(path)); folder !== '/'; folder = posix.dirname(folder)) {
      if (this.nodes.get(folder)?.kind === 'file') return 'notDirectory';
    }
    return 'notFound';
  }

  /** The path itself, with the links of its folders resolved. */
  private placeOf(path: string): string {
    return posix.join(this.follow(posix.dirname(path)), posix.basename(path));
  }

  private follow(path: string): string {
    let links = 0;
    let done = '/';
    let rest = posix.resolve('/', path).split('/').filter(Boolean);
    while (rest.length > 0) {
      const place = posix.join(done, rest[0]!);
      rest = rest.slice(1);
      const node = this.nodes.get(place);
      if (node?.kind !== 'link') {
        done = place;
        continue;
      }
      links += 1;
      if (links > 40) throw failure('other', path);
      rest = [...posix.resolve(done, node.target).split('/').filter(Boolean), ...rest];
      done = '/';
    }
    return done;
  }
}

function failure(kind: FileErrorKind, path: string): FileError {
  return new FileError(kind, path, () => `${path}: ${kind}`);
}
