/*
 * Finds ignored files that a setting names, so that a command's changes in them wait for review, too. Version control
 * has no earlier content of them, so each is read before each command, within a budget.
 */

import { join } from 'node:path';
import { FileError, type FileReader } from '../../platform/fileSystem.ts';
import { type Search, SearchError } from '../../platform/search.ts';
import { folderContains } from '../folderPaths.ts';

interface NamedPorts {
  readonly search: Pick<Search, 'findFiles'>;
  readonly files: Pick<FileReader, 'realPath' | 'stat'>;
  /** Names of dependency and build folders. They are only searched if a glob names one. */
  readonly ignoredFolders: () => readonly string[];
  /** Globs, relative to the folder. */
  readonly globs: () => readonly string[];
}

/** Returns absolute, real paths of the named files below a folder; `undefined`: too many, or the search failed. */
export type ListIncludedFiles = (
  folder: string,
  signal: AbortSignal,
) => Promise<readonly string[] | undefined>;

/** Per folder. */
const maxFiles = 2000;

export class IncludedIgnoredFiles {
  private readonly around: NamedPorts;

  constructor(around: NamedPorts) {
    this.around = around;
  }

  /** Reads the setting for one command and its whole run. `undefined`: it names nothing. */
  forCommand(): ListIncludedFiles | undefined {
    const globs = this.around.globs();
    return globs.length === 0 ? undefined : (folder, signal) => this.list(folder, globs, signal);
  }

  private async list(
    folder: string,
    globs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const paths = new Set<string>();
    try {
      const root = await this.around.files.realPath(folder);
      for (const glob of globs)
        for (const path of await this.find(root, glob, signal)) {
          paths.add(path);
          if (paths.size > maxFiles) return undefined;
        }
    } catch (error) {
      if (error instanceof FileError || error instanceof SearchError) return undefined;
      throw error;
    }
    return [...paths];
  }

  private async find(root: string, glob: string, signal: AbortSignal): Promise<readonly string[]> {
    const { files, search, ignoredFolders } = this.around;
    const parts = glob
      .replaceAll('\\', '/')
      .split('/')
      .filter(part => part !== '' && part !== '.');
    const plain = parts.findIndex(part => /[*?[\]{}()!+@]/.test(part));
    const place = await files.realPath(join(root, ...(plain < 0 ? parts : parts.slice(0, plain))));
    // A link, or a glob with `..`, may leave the folder.
    if (!folderContains(root, place)) return [];
    const stat = await files.stat(place);
    if (stat?.kind === 'file') return plain < 0 ? [place] : [];
    if (!stat) return [];
    const rest = plain < 0 ? ['**'] : parts.slice(plain);
    // The search needs `a/**/*` for all files below `a`.
    const pattern = rest.at(-1) === '**' ? [...rest, '*'].join('/') : rest.join('/');
    const exclude = ignoredFolders()
      .filter(name => !parts.includes(name))
      .map(name => `**/${name}/**`);
    const query = { folder: place, pattern, exclude, caseSensitive: true };
    const ignored = { respectGitIgnore: false, respectGeminiIgnore: false };
    return (await search.findFiles({ ...query, ...ignored }, signal)).paths;
  }
}
