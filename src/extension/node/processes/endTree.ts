import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../base/errors.ts';
import { listTree } from './processTable.ts';
import { findSystemProgram } from './programs.ts';

/** Time between SIGTERM and SIGKILL, milliseconds. */
const usualGrace = 500;
/** A process that waits for a broken disk cannot be killed, so the wait is limited. */
const maxWaitMs = 5000;
const interval = 25;

/** Ends the whole tree of a group leader: SIGTERM, then SIGKILL. Resolves when it is gone. */
export async function endTree(leader: number, grace = usualGrace): Promise<void> {
  if (process.platform === 'win32') return await endWindowsTree(leader);
  // A process seen once stays a target, even if its parent ends and it looks like an orphan.
  const targets = new Set([leader]);
  await signalTree(targets, leader, 'SIGTERM');
  if (await isGoneWithin(targets, grace)) return;
  const end = performance.now() + maxWaitMs;
  while (performance.now() < end) {
    await signalTree(targets, leader, 'SIGKILL');
    if (await isGoneWithin(targets, interval)) return;
  }
}

/** Returns whether any process of the leader's group still runs, with or without the leader. */
export function isGroupAlive(leader: number): boolean {
  // On Windows, the tree of an ended process is unknown.
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
  // Signals the group at once, so that no member can fork meanwhile, and no process twice.
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
    // It is gone (macOS reports EPERM for a group of zombies) or belongs to another user. The next check decides.
    if (errorCode(error) !== 'ESRCH' && errorCode(error) !== 'EPERM') throw error;
  }
}

async function endWindowsTree(leader: number): Promise<void> {
  await new Promise<void>(resolve => {
    // Ignores a failure, which means that the process has already ended.
    const taskkill = findSystemProgram('taskkill.exe');
    if (taskkill === undefined) return resolve();
    execFile(taskkill, ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}
