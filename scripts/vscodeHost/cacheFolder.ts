import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where downloads are kept for all clones of this person. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'folio');
}

/**
 * Runs `work` while no other process holds the lock folder. A lock whose owner is gone is taken over, so a killed
 * install blocks nobody.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await takeLock(lock, signal);
  try {
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function takeLock(lock: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(join(lock, '..'), { recursive: true });
  let told = false;
  while (!(await makeLock(lock))) {
    const owner = await readOwner(lock);
    if (owner !== undefined && !isAlive(owner)) {
      await rm(lock, { recursive: true, force: true });
      continue;
    }
    if (!told) console.error(`Waiting for process ${owner ?? 'of another run'}, which holds ${lock}.`);
    told = true;
    await sleep(1000, undefined, { signal });
  }
}

/** Made whole and then moved, so that no lock is ever there without its owner's number. */
async function makeLock(lock: string): Promise<boolean> {
  const own = `${lock}.${randomUUID()}`;
  await mkdir(own);
  await writeFile(join(own, 'pid'), String(process.pid));
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    const taken = ['EEXIST', 'ENOTEMPTY', 'EPERM'];
    if (error instanceof Error && 'code' in error && taken.includes(String(error.code))) return false;
    throw error;
  }
}

async function readOwner(lock: string): Promise<number | undefined> {
  // The owner has just given the lock back: look again later.
  const text = await readFile(join(lock, 'pid'), 'utf8').catch(() => '');
  return text === '' ? undefined : Number(text);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
