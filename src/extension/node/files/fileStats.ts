import { realpathSync, type Stats, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isMissing } from './fileErrors.ts';

/** The small questions to a disk that come before each file that is read or written. */
export interface FileStats {
  /** `undefined`: nothing is there. Rejects or throws with Node's own error. */
  stat(path: string): Promise<Stats | undefined> | Stats | undefined;
  /** Rejects or throws with Node's own error, also where nothing is. */
  realPath(path: string): Promise<string> | string;
}

/** The questions wait on another thread: a disk that is slow to answer holds up nobody else. */
export const waitingStats: FileStats = {
  stat: async path => {
    try {
      return await stat(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  realPath: path => realpath(path),
};

/** For a process with nothing else to do: the way to another thread takes ten times as long as the answer. */
export const directStats: FileStats = {
  stat: path => statSync(path, { throwIfNoEntry: false }),
  realPath: path => realpathSync.native(path),
};
