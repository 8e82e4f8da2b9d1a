/*
 * Symbolic links of a folder without version control, which searches do not list. It looks for them in folders of files
 * that a search found. Creating or deleting a link changes its folder's time, so unchanged folders are not read again.
 */

import { dirname, join } from 'node:path';
import { type BulkFiles, FileError, type FileReader } from '../../platform/fileSystem.ts';

interface FolderLinks {
  readonly modifiedAt: number;
  /** Targets by path. */
  readonly links: ReadonlyMap<string, string>;
}

/** Milliseconds. File systems round timestamps, so a younger folder may change without a new time. */
const roundedTime = 2000;

export class SymlinkIndex {
  private readonly files: Pick<FileReader, 'list' | 'readLink'>;
  private readonly many: Pick<BulkFiles, 'statAll'>;
  private settled = new Map<string, FolderLinks>();

  constructor(files: Pick<FileReader, 'list' | 'readLink'>, many: Pick<BulkFiles, 'statAll'>) {
    this.files = files;
    this.many = many;
  }

  /**
   * Returns the target of each link in the root and beside the files, by path.
   * @param time a time before anything here was read
   */
  async read(
    root: string,
    files: readonly string[],
    time: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const links = new Map<string, string>();
    const settled = new Map<string, FolderLinks>();
    const known = new Set(files);
    const folders = new Set([root, ...files.map(path => dirname(path))]);
    for (const [folder, { modifiedAt }] of await this.many.statAll([...folders], signal)) {
      signal.throwIfAborted();
      const before = this.settled.get(folder);
      const isSame = before?.modifiedAt === modifiedAt;
      const found = isSame ? before : { modifiedAt, links: await this.readFolder(folder, known) };
      if (modifiedAt < time - roundedTime) settled.set(folder, found);
      for (const [path, target] of found.links) links.set(path, target);
    }
    this.settled = settled;
    return links;
  }

  /** Returns none if the folder is gone or cannot be read. */
  private async readFolder(folder: string, files: ReadonlySet<string>): Promise<FolderLinks['links']> {
    const links = new Map<string, string>();
    try {
      for (const { name } of await this.files.list(folder)) {
        const path = join(folder, name);
        const target = files.has(path) ? undefined : await this.files.readLink(path);
        if (target !== undefined) links.set(path, target);
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
    return links;
  }
}
