import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { FileSystem } from '../../src/extension/platform/fileSystem.ts';
import type { FileMatches, FileQuery, Search } from '../../src/extension/platform/search.ts';

/** Finds files in any file system by glob; ignore files do not count, `.git` is never searched. */
export function memoryFileSearch(files: FileSystem): Pick<Search, 'findFiles'> {
  return {
    async findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches> {
      const isWanted = picomatch(query.pattern, { dot: true, nocase: !query.caseSensitive });
      const isUnwanted = picomatch([...(query.exclude ?? []), '**/.git/**'], { dot: true });
      const paths: string[] = [];
      const visit = async (folder: string): Promise<void> => {
        signal.throwIfAborted();
        for (const { name, kind } of await files.list(folder)) {
          const path = posix.join(folder, name);
          const inside = posix.relative(query.folder, path);
          if (kind === 'directory' && (await files.realPath(path)) === path) await visit(path);
          if (kind === 'file' && isWanted(inside) && !isUnwanted(inside)) paths.push(path);
        }
      };
      await visit(query.folder);
      return { paths };
    },
  };
}
