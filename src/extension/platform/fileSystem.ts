import type { Saying } from '../../protocol/language.ts';
import { SpokenError } from '../base/errors.ts';

/**
 * Files as the user sees them: unsaved editor buffers win on reading, writes go where undo works. Paths are
 * absolute. Failures are `FileError`s with a `kind`; nothing else is thrown but an abort.
 */
export interface FileSystem extends FileReader {
  /**
   * All or nothing; makes missing folders. Text is written as given, in the format given. Fails with `changed`
   * when `expected` is given and the file no longer holds that text (`null`: when it exists).
   * @param amid `many`: one of so many that no editor needs to be opened for it
   */
  writeText(
    path: string,
    text: string,
    format: TextFormat,
    expected?: string | null,
    amid?: 'many',
  ): Promise<void>;
  /** All or nothing; makes missing folders. */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a symbolic link itself. Nothing happens when it is not there. */
  delete(path: string): Promise<void>;
  /** Makes a symbolic link in the place of what stands at the path itself, all or nothing; makes missing folders. */
  writeLink(path: string, target: string): Promise<void>;
  /** Lets those run a file who may read it, or nobody. Does nothing where files are not told apart by that. */
  setExecutable(path: string, executable: boolean): Promise<void>;
}

export interface FileReader {
  /** The same place with all symlinks of its existing part resolved; the rest need not exist. */
  realPath(path: string): Promise<string>;
  /** `undefined` when nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Where the symbolic link at the path itself leads, in its own words; `undefined` where none stands. */
  readLink(path: string): Promise<string | undefined>;
  /** Entries in no particular order; symlinks are told by what they point to. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Like `readBytes`, but for what an editor holds unsaved: the bytes on the disk. */
  readSaved(path: string): Promise<Uint8Array>;
  /**
   * Decodes as `decode` does. Fails with `notText` on binary content.
   * @param known what the disk has just said of the file, so that it is not asked twice
   */
  readText(path: string, known?: KnownFile): Promise<TextFile>;
  /**
   * Decodes what a file at this path holds, held or could hold: by its byte-order mark, by the encoding that the user
   * chose for it, as UTF-8, by the encoding that it had before, else by a guess. `undefined`: no text, or one that
   * would come back as other bytes.
   */
  decode(path: string, bytes: Uint8Array): Promise<TextFile | undefined>;
  /** The bytes that `writeText` writes. Fails with `unencodable` where the encoding lacks a character. */
  encode(path: string, text: string, format: TextFormat): Promise<Uint8Array>;
  /** The format of a file that does not exist yet. */
  newFormat(path: string): Promise<TextFormat>;
}

export interface KnownFile {
  readonly stat?: FileStat;
  /** The whole content as it is on the file system, which unsaved text of an editor may differ from. */
  readonly bytes?: Uint8Array;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt: number;
  /** Its owner may run the file; absent where files are not told apart by that, as on Windows. */
  readonly executable?: boolean;
}

/**
 * Checks tens of thousands of files on the disk, with little work for each, and gives way to the other work of the
 * process in between. Files that cannot be checked are left out. Rejects with the signal's reason on abort.
 */
export interface ManyFiles {
  /** By path. */
  statAll(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, FileStat>>;
  /** By path; a file is left out, too, that has grown beyond `limit` bytes. */
  readAll(
    paths: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Compresses contents in memory. Returns one for each, in order. */
  compressAll(contents: readonly Uint8Array[]): Promise<readonly CompressedContent[]>;
}

export interface CompressedContent {
  /** Equal for equal contents alone. */
  readonly hash: string;
  /** Bytes of memory that it takes. */
  readonly size: number;
  read(): Uint8Array;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

export interface TextFormat {
  /** By VS Code's identifier: `utf8`, `utf16le`, `windows1252`, `gbk`. */
  readonly encoding: string;
  readonly bom: boolean;
}

export interface TextFile {
  /** Exact, with its own line endings, without the byte-order mark. */
  readonly text: string;
  readonly format: TextFormat;
  /** Nothing but the bytes themselves speaks for this encoding. */
  readonly guessed?: true;
}

export const plainText: TextFormat = { encoding: 'utf8', bom: false };

export type FileErrorKind =
  | 'notFound'
  | 'isDirectory'
  | 'notDirectory'
  | 'denied'
  | 'notText'
  /** The encoding of the file lacks a character of the text. */
  | 'unencodable'
  | 'changed'
  /** An editor has taken the change and could not save it, so it is what is read. */
  | 'unsaved'
  | 'noSpace'
  | 'other';

export class FileError extends SpokenError {
  readonly kind: FileErrorKind;
  readonly path: string;

  constructor(kind: FileErrorKind, path: string, say: Saying, cause?: unknown) {
    super(say, { cause });
    this.name = 'FileError';
    this.kind = kind;
    this.path = path;
  }
}

/** Gives what was read, `undefined` where the file cannot be. */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
