import { realpathSync, type Stats, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isMissing } from './fileErrors.ts';

/** File system queries that precede reading or writing a file. */
export interface StatCalls {
  /** Returns `undefined` if the file is missing. Rejects or throws with Node's error. */
  stat(path: string): Promise<Stats | undefined> | Stats | undefined;
  /** Rejects or throws with Node's error, also if the file is missing. */
  realPath(path: string): Promise<string> | string;
}

/** Asynchronous: waits on another thread, so that a slow disk blocks nothing else. */
export const asyncStatCalls: StatCalls = {
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

/** Synchronous, for a process with nothing else to do: switching threads takes ten times as long as the query. */
export const syncStatCalls: StatCalls = {
  stat: path => statSync(path, { throwIfNoEntry: false }),
  realPath: path => realpathSync.native(path),
};
