import type { LocalizedMessage } from '../../protocol/language.ts';
import { LocalizedError } from '../base/errors.ts';

/**
 * Files as the user sees them: reads return unsaved editor buffers, writes can be undone in the editor. Paths are
 * absolute. Failures are `FileError`s with a `kind`; nothing else is thrown but aborts.
 */
export interface FileSystem extends FileReader {
  /**
   * Atomic; creates missing folders. Writes the text unchanged in the given format. Fails with `changed` if `expected`
   * is given and the file holds another text (`null`: if it exists).
   * @param amid `many`: one of so many that no editor needs to open it
   */
  writeText(
    path: string,
    text: string,
    format: TextFormat,
    expected?: string | null,
    amid?: 'many',
  ): Promise<void>;
  /** Atomic; creates missing folders. */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a symbolic link itself. Does nothing if it does not exist. */
  delete(path: string): Promise<void>;
  /** Replaces what is at the path by a symbolic link, atomically; creates missing folders. */
  writeLink(path: string, target: string): Promise<void>;
  /**
   * Sets the execute bit for everyone who may read the file, or for nobody. Does nothing on systems without that bit.
   */
  setExecutable(path: string, executable: boolean): Promise<void>;
}

export interface FileReader {
  /** Resolves all symlinks of the existing part of the path; the rest need not exist. */
  realPath(path: string): Promise<string>;
  /** Returns `undefined` if nothing exists there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns the target of the symbolic link at this path, unresolved; `undefined` if it is none. */
  readLink(path: string): Promise<string | undefined>;
  /** Entries in no particular order. A symlink has the kind of its target. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Like `readBytes`, but ignores unsaved editor buffers. */
  readSaved(path: string): Promise<Uint8Array>;
  /**
   * Decodes like `decode`. Fails with `notText` on binary content.
   * @param known facts just read from the file system, to avoid reading them again
   */
  readText(path: string, known?: PreloadedFile): Promise<TextFile>;
  /**
   * Decodes bytes that a file at this path holds, held or could hold. Tries in order: byte-order mark, the user's
   * choice, UTF-8, the previous encoding, a guess. `undefined` if it is no text, or would not encode to the same bytes.
   */
  decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined>;
  /** Returns the bytes that `writeText` would write. Fails with `unencodable` if the encoding lacks a character. */
  encode(path: string, text: string, format: TextFormat): Promise<Uint8Array>;
  /** Returns the format of a file that does not exist yet. */
  newFormat(path: string): Promise<TextFormat>;
}

/** The parts of a file that a caller has read already. */
export interface PreloadedFile {
  readonly stat?: FileStat;
  /** The complete content on the file system, which may differ from an editor's unsaved text. */
  readonly bytes?: Uint8Array;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt: number;
  /** True if the owner may execute it; absent on systems without that bit, such as Windows. */
  readonly executable?: boolean;
}

/**
 * Checks tens of thousands of files cheaply, and yields to other work of the process in between. Leaves out files that
 * cannot be checked. Rejects with the signal's reason.
 */
export interface BulkFiles {
  /** By path. */
  statAll(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, FileStat>>;
  /** By path. Also leaves out files larger than `limit` bytes. */
  readAll(
    paths: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Compresses contents in memory. Returns one result each, in order. */
  compressAll(contents: readonly Uint8Array[]): Promise<readonly CompressedContent[]>;
}

export interface CompressedContent {
  /** Equal only for equal contents. */
  readonly hash: string;
  /** Bytes of memory that it occupies. */
  readonly size: number;
  read(): Uint8Array;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

export interface TextFormat {
  /** VS Code's identifier: `utf8`, `utf16le`, `windows1252`, `gbk`. */
  readonly encoding: string;
  readonly bom: boolean;
}

export interface TextFile {
  /** Exact, with its own line endings, without the byte-order mark. */
  readonly text: string;
  readonly format: TextFormat;
  /** Set if the encoding was guessed from the bytes alone. */
  readonly guessed?: true;
}

export const utf8Format: TextFormat = { encoding: 'utf8', bom: false };

export type FileErrorKind =
  | 'notFound'
  | 'isDirectory'
  | 'notDirectory'
  | 'denied'
  | 'notText'
  /** The file's encoding lacks a character of the text. */
  | 'unencodable'
  | 'changed'
  /** An editor took the change but could not save it. Reads return the change. */
  | 'unsaved'
  | 'noSpace'
  | 'other';

export class FileError extends LocalizedError {
  readonly kind: FileErrorKind;
  readonly path: string;

  constructor(kind: FileErrorKind, path: string, say: LocalizedMessage, cause?: unknown) {
    super(say, { cause });
    this.name = 'FileError';
    this.kind = kind;
    this.path = path;
  }
}

/** Returns what was read; `undefined` if the file cannot be read. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Returns true for absolute POSIX paths in folders of the kernel: devices, processes and their memory. */
export function isSystemPath(path: string): boolean {
  return /^\/(?:proc|sys)(?:\/|$)/.test(path) || isDevicePath(path);
}

/** Returns false for `/dev/shm`, which holds ordinary files in memory, but true for a way out of it. */
export function isDevicePath(path: string): boolean {
  const isInMemory = /^\/dev\/shm(?:\/|$)/.test(path) && !/\/\.\.(?:\/|$)/.test(path);
  return /^\/dev(?:\/|$)/.test(path) && !isInMemory;
}
