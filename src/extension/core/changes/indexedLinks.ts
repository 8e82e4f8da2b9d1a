/*
 * The symbolic links of a folder without version control, which no search lists. They are looked for beside the files
 * that a search found. A link is made and deleted by a change of its folder, so that a folder whose time is as it was
 * is not read again.
 */

import { dirname, join } from 'node:path';
import { type BulkFiles, FileError, type FileReader } from '../../platform/fileSystem.ts';

interface FolderLinks {
  readonly modifiedAt: number;
  /** By path: where they lead. */
  readonly links: ReadonlyMap<string, string>;
}

/** File systems round times, milliseconds: a younger folder may change without a trace in its time. */
const roundedTime = 2000;

export class IndexedLinks {
  private readonly files: Pick<FileReader, 'list' | 'readLink'>;
  private readonly many: Pick<BulkFiles, 'statAll'>;
  private settled = new Map<string, FolderLinks>();

  constructor(files: Pick<FileReader, 'list' | 'readLink'>, many: Pick<BulkFiles, 'statAll'>) {
    this.files = files;
    this.many = many;
  }

  /**
   * By path: where each link leads that stands in the folder or beside one of the files.
   * @param time before anything of this was read
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

  /** None, where the folder cannot be read, or is gone. */
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
