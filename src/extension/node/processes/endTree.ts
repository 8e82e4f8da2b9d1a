import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../base/errors.ts';
import { listTree } from './processTable.ts';
import { findSystemProgram } from './programs.ts';

/** From the request to end until the order to end, milliseconds. */
const usualGrace = 500;
/** A process that waits for a broken disk cannot be killed; we do not wait for it for ever. */
const maxWaitMs = 5000;
const interval = 25;

/** Asks the whole tree of a group leader to end, then kills it. Resolves when it is gone. */
export async function endTree(leader: number, grace = usualGrace): Promise<void> {
  if (process.platform === 'win32') return await endWindowsTree(leader);
  // A process that was seen once stays a target, also after its parent has ended and it looks like an orphan.
  const targets = new Set([leader]);
  await signalTree(targets, leader, 'SIGTERM');
  if (await isGoneWithin(targets, grace)) return;
  const end = performance.now() + maxWaitMs;
  while (performance.now() < end) {
    await signalTree(targets, leader, 'SIGKILL');
    if (await isGoneWithin(targets, interval)) return;
  }
}

/** Something that a group leader started still runs, whether or not the leader does. */
export function isGroupAlive(leader: number): boolean {
  // On Windows, the tree of a process that has ended is not known any more.
  if (process.platform === 'win32') return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

async function signalTree(targets: Set<number>, leader: number, signal: NodeJS.Signals): Promise<void> {
  const rows = await listTree(targets);
  for (const row of rows) targets.add(row.pid);
  // The group at once, so that no member can fork meanwhile; nobody is signalled twice.
  send(-leader, signal);
  for (const row of rows) if (row.group !== leader) send(row.pid, signal);
}

async function isGoneWithin(targets: Set<number>, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (true) {
    const rows = await listTree(targets);
    if (rows.length === 0) return true;
    for (const row of rows) targets.add(row.pid);
    if (performance.now() >= end) return false;
    await sleep(interval);
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // Gone already (macOS says EPERM of a group of zombies), or not ours to signal: looking again tells.
    if (errorCode(error) !== 'ESRCH' && errorCode(error) !== 'EPERM') throw error;
  }
}

async function endWindowsTree(leader: number): Promise<void> {
  await new Promise<void>(resolve => {
    // It fails when the process has ended automatically, which is as good.
    const taskkill = findSystemProgram('taskkill.exe');
    if (taskkill === undefined) return resolve();
    execFile(taskkill, ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}
