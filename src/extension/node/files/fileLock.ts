/*
 * Ensures that only one process writes a session, or the file of rules. No system lock works on all disks, so the lock is
 * a file that names its holder, who touches it regularly:
 *
 *     created ─► held ─► removed                      on a normal close
 *                  └──► its process is gone,          after a kill: the next process takes it over
 *                       or it is stale
 */

import { randomBytes } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../base/errors.ts';
import { isMissing } from './fileErrors.ts';

export interface FileLock {
  /** Another process took the lock over, as it may if this one has been suspended for long. */
  readonly isLost: boolean;
  release(): Promise<void>;
}

export interface LockTimes {
  /** How long to wait for a lock that is about to be released, for example by a window that reloads. */
  readonly timeoutMs: number;
  readonly heartbeatMs: number;
  /** A lock untouched for so long is free, because its process id may have been reused. */
  readonly staleMs: number;
}

export const lockTimes: LockTimes = { timeoutMs: 4000, heartbeatMs: 10_000, staleMs: 60_000 };

/** Whom a lock excludes. `processes` excludes only other processes, since a window knows which sessions it has open. */
type KeptOut = 'processes' | 'everybody';

/** Resolves to `undefined` if another holds the lock until the end of the patience. The folder of `path` must exist. */
export async function takeLock(
  path: string,
  keptOut: KeptOut,
  times: LockTimes = lockTimes,
): Promise<FileLock | undefined> {
  const mine = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}\n`;
  const until = performance.now() + times.timeoutMs;
  while (!(await makeLock(path, mine))) {
    const holder = await readHolder(path);
    if (holder && !isFree(holder, keptOut, times.staleMs)) {
      if (performance.now() >= until) return undefined;
      await sleep(Math.min(50, times.timeoutMs));
    } else if (holder) {
      await takeAway(path, holder.text);
    }
  }
  return holdLock(path, mine, keptOut, times);
}

/** Resolves to false if the lock exists. */
async function makeLock(path: string, mine: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    // On a full disk the file may be created but not written. Left empty, it would lock out everyone.
    await file
      .writeFile(mine)
      .catch(async error => {
        await unlink(path);
        throw error;
      })
      .finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

interface Holder {
  readonly text: string;
  readonly touchedAt: number;
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return { text: await readFile(path, 'utf8'), touchedAt: (await stat(path)).mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isFree({ text, touchedAt }: Holder, keptOut: KeptOut, staleMs: number): boolean {
  if (looksStale(touchedAt, staleMs)) return true;
  const [pid, host] = text.trim().split(' ');
  // For a lock of another machine, or one that is being written, only its age tells.
  if (pid === undefined || !/^[1-9]\d*$/.test(pid) || host !== hostname()) return false;
  return Number(pid) === process.pid ? keptOut !== 'everybody' : !isAlive(Number(pid));
}

/** A time in the future means that the clock was set back; the lock would otherwise be held until then. */
function looksStale(touchedAt: number, staleMs: number): boolean {
  return Math.abs(Date.now() - touchedAt) > staleMs;
}

/** Returns whether a process with this id runs on this machine, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** If several processes find the same lock free, one moves it away. If it moved a newer lock, it restores that. */
async function takeAway(path: string, text: string): Promise<void> {
  const shelved = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, shelved);
    if ((await readFile(shelved, 'utf8')) !== text) await link(shelved, path).catch(() => {});
    await unlink(shelved);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function holdLock(
  path: string,
  mine: string,
  keptOut: KeptOut,
  { heartbeatMs, staleMs }: LockTimes,
): FileLock {
  let isLost = false;
  let touchedAt = Date.now();
  // A missing lock means that another process took it over and has finished.
  const isOthers = (text: string | undefined) =>
    text === undefined || (text !== mine && (keptOut === 'everybody' || !isOurs(text)));
  const beat = async () => {
    const holder = await readHolder(path);
    isLost ||= isOthers(holder?.text);
    const now = new Date();
    if (holder?.text !== mine) return;
    await utimes(path, now, now);
    touchedAt = now.getTime();
  };
  // After the machine slept, a write may precede the timer, and another process may have taken over before both.
  const scan = () => {
    const text = readText(path);
    isLost ||= isOthers(text);
    const now = new Date();
    if (text === mine) utimesSync(path, now, now);
    touchedAt = now.getTime();
  };
  // The next beat makes up for a failed one. A lock that looks stale because of it is taken only by a process that
  // requests it.
  const timer = setInterval(() => void beat().catch(() => {}), heartbeatMs);
  timer.unref();
  return {
    get isLost() {
      if (!isLost && looksStale(touchedAt, staleMs)) scan();
      return isLost;
    },
    release: async () => {
      clearInterval(timer);
      const holder = await readHolder(path);
      if (holder?.text === mine) await unlink(path);
    },
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isOurs(text: string): boolean {
  return text.startsWith(`${process.pid} ${hostname()} `);
}
