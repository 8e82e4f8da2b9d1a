import { dirname } from 'node:path';
import { FileError, type FileStat, type FileSystem } from '../../platform/fileSystem.ts';
import { expectNoLink } from './attributedFileSystem.ts';
import type { FileBytes } from './bytes.ts';

/** State of a file on disk; `unknown`: it exists, but was not read. */
export interface ScannedFile {
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt' | 'executable'> | undefined;
  readonly bytes: FileBytes | 'unknown';
  readonly link?: string;
}

/** One scan of many files. Links above a folder are resolved once for all files in it. */
export class FileScan {
  private readonly files: Pick<FileSystem, 'realPath' | 'stat' | 'readLink' | 'readSaved'>;
  private readonly folders = new Map<string, Promise<void>>();

  constructor(files: Pick<FileSystem, 'realPath' | 'stat' | 'readLink' | 'readSaved'>) {
    this.files = files;
  }

  /** @param limit bytes; larger files are not read */
  async scan(path: string, limit: number): Promise<ScannedFile> {
    const { files } = this;
    try {
      await this.expectRealFolder(dirname(path));
      const link = await files.readLink(path);
      if (link !== undefined) return { stat: undefined, bytes: null, link };
      const stat = await files.stat(path);
      if (!stat) return { stat, bytes: null };
      const fits = stat.kind === 'file' && stat.size <= limit;
      return { stat, bytes: fits ? await files.readSaved(path) : 'unknown' };
    } catch (error) {
      if (error instanceof FileError) return { stat: undefined, bytes: 'unknown' };
      throw error;
    }
  }

  /** Compares without reading the content. */
  async isSame(path: string, { stat, link }: ScannedFile): Promise<boolean> {
    const now = await this.scan(path, 0);
    return (
      now.link === link &&
      now.stat?.size === stat?.size &&
      now.stat?.modifiedAt === stat?.modifiedAt &&
      now.stat?.executable === stat?.executable
    );
  }

  private expectRealFolder(folder: string): Promise<void> {
    const known = this.folders.get(folder) ?? expectNoLink(folder, this.files);
    this.folders.set(folder, known);
    return known;
  }
}
