import type { FileSystem } from '../../platform/fileSystem.ts';

/** Where memory files are read from. */
export interface MemorySources {
  /** The user's folder, absolute. Its files are read in every workspace. */
  readonly home: string;
  /** Names of memory files, the most important first. */
  readonly names: readonly string[];
  /** Single files treated like the user's own, such as those of extensions; absent: none. */
  readonly single?: readonly MemoryFile[];
  /** Absolute workspace folders. */
  readonly folders: readonly string[];
  /** More folders configured by the user: absolute, `~/…`, or relative to the first workspace folder. */
  readonly extra: readonly string[];
  readonly trusted: boolean;
}

export interface MemoryFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute folder that must contain the real file and its imports. */
  readonly within: string;
  /** The user named this file, so its absence is reported. */
  readonly isNamed: boolean;
}

export type MemoryFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readText'>;
