import type { FileSystem } from '../../platform/fileSystem.ts';

export interface MemoryPlace {
  /** The user's own folder, absolute; what is in it is read in every workspace. */
  readonly home: string;
  /** File names of memory files, the most important first. */
  readonly names: readonly string[];
  /** Single files that count as the user's own, such as those of extensions; absent: none. */
  readonly single?: readonly MemoryFile[];
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  /** Further folders that the user names: absolute, `~/…`, or relative to the first workspace folder. */
  readonly extra: readonly string[];
  readonly trusted: boolean;
}

export interface MemoryFile {
  /** Absolute. */
  readonly path: string;
  /** The folder that the real file, and what it imports, must lie in; absolute. */
  readonly within: string;
  /** The user named this file, so its absence is worth a sentence. */
  readonly isNamed: boolean;
}

export type MemoryFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;
