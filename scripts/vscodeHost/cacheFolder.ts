import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FileLock, lockTimes, takeLock } from '../../src/extension/node/files/fileLock.ts';

/** Returns the folder for downloads, shared by all clones of the user. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'folio');
}

/** Runs `work` with an exclusive lock for `path`. Locks of killed processes expire. */
export async function withLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await waitForLock(`${path}.owner`, signal);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string, signal: AbortSignal | undefined): Promise<FileLock> {
  const times = { ...lockTimes, timeoutMs: 1000 };
  let lock = await takeLock(path, 'everybody', times);
  if (!lock) console.error(`Waiting for another run, which holds ${path}.`);
  while (!lock) {
    signal?.throwIfAborted();
    lock = await takeLock(path, 'everybody', times);
  }
  return lock;
}
