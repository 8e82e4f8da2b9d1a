/*
 * One at a time writes a session, or the file of rules. There is no lock of the system that all disks know, so it is a
 * file that says who holds it and is touched while they live:
 *
 *     made again ─► held ─► removed                      who closes in good order
 *                    └──► its process is gone,          who was killed: the next takes it over
 *                         or nobody has touched it
 */

import { randomBytes } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../base/errors.ts';
import { isMissing } from './fileErrors.ts';

export interface FileLock {
  /** Another took it over, as it may after this one had been held still for long. */
  readonly isLost: boolean;
  release(): Promise<void>;
}

export interface LockTimes {
  /** How long to wait for one that is just being given back, as by a window that reloads. */
  readonly patienceMs: number;
  readonly beatMs: number;
  /** So long untouched, it is nobody's: the number of a process that is gone may be another's by now. */
  readonly staleMs: number;
}

export const lockTimes: LockTimes = { patienceMs: 4000, beatMs: 10_000, staleMs: 60_000 };

/** Whom a lock keeps out: a window knows automatically which sessions it has open. */
type KeptOut = 'processes' | 'everybody';

/** Undefined when another has held it for all of the patience. The folder of `path` must be there. */
export async function takeLock(
  path: string,
  keptOut: KeptOut,
  times: LockTimes = lockTimes,
): Promise<FileLock | undefined> {
  const mine = `${process.pid} ${hostname()} ${randomBytes(8).toString('hex')}\n`;
  const until = performance.now() + times.patienceMs;
  while (!(await makeLock(path, mine))) {
    const holder = await readHolder(path);
    if (holder && !isFree(holder, keptOut, times.staleMs)) {
      if (performance.now() >= until) return undefined;
      await sleep(Math.min(50, times.patienceMs));
    } else if (holder) {
      await takeAway(path, holder.text);
    }
  }
  return holdLock(path, mine, keptOut, times);
}

/** False when there is one already. */
async function makeLock(path: string, mine: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    // On a full disk the file can be made and not be written: empty it would keep out even who made it.
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
  // A lock of another machine, or one that is being written: only time can tell.
  if (pid === undefined || !/^[1-9]\d*$/.test(pid) || host !== hostname()) return false;
  return Number(pid) === process.pid ? keptOut !== 'everybody' : !isAlive(Number(pid));
}

/** One from the future was touched before the clock was set back, and would otherwise be held until then. */
function looksStale(touchedAt: number, staleMs: number): boolean {
  return Math.abs(Date.now() - touchedAt) > staleMs;
}

/** Says whether a process with this id runs on this machine, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** When several find the same lock free, one moves it away; one that moved away a new lock gives it back. */
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

function holdLock(path: string, mine: string, keptOut: KeptOut, { beatMs, staleMs }: LockTimes): FileLock {
  let isLost = false;
  let touchedAt = Date.now();
  // One that is gone was taken over too, by somebody who is done by now.
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
  // After a sleep of the machine a write may come before the beat, and somebody else may have come before both.
  const scan = () => {
    const text = readText(path);
    isLost ||= isOthers(text);
    const now = new Date();
    if (text === mine) utimesSync(path, now, now);
    touchedAt = now.getTime();
  };
  // A beat that fails is made up for by the next; a lock that looks stale for it is only taken by who asks.
  const timer = setInterval(() => void beat().catch(() => {}), beatMs);
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
