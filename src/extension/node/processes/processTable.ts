import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findSystemProgram } from './programs.ts';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended, but not yet reaped by its parent. */
  readonly zombie: boolean;
}

/**
 * Lists the living processes of some leaders: themselves, their groups, their sessions (`timeout` and shells with job
 * control create groups), and all descendants of these.
 */
export async function listTree(leaders: ReadonlySet<number>): Promise<readonly ProcessRow[]> {
  return treeOf(leaders, process.platform === 'linux' ? readProc() : await readPs());
}

/** Lists living processes with this variable (`NAME=value`) in their environment. Linux only. */
export function listMarked(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && environmentOf(name).includes(mark));
  return pids.map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
}

function treeOf(leaders: ReadonlySet<number>, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const members = new Set<number>();
  for (const row of rows) {
    if (leaders.has(row.pid) || leaders.has(row.group) || leaders.has(row.session)) members.add(row.pid);
  }
  // Adding to a set while iterating is safe, so this loop also finds children of children.
  for (const parent of members) {
    for (const row of rows) if (row.parent === parent) members.add(row.pid);
  }
  return rows.filter(row => members.has(row.pid) && !row.zombie);
}

function readProc(): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const row = findProcRow(name);
    if (row) rows.push(row);
  }
  return rows;
}

function findProcRow(pid: string): ProcessRow | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // It ended after its name was read.
    return undefined;
  }
  // The second field is the name in parentheses, which may itself contain parentheses and blanks.
  const [state, parent, group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
  };
}

/** For systems without /proc. Their `ps` does not report sessions reliably. */
async function readPs(): Promise<readonly ProcessRow[]> {
  const output = await new Promise<string>(resolve => {
    const ps = findSystemProgram('ps');
    // Without `ps` nothing can be listed; ending the group still works.
    if (ps === undefined) return resolve('');
    execFile(ps, ['-A', '-o', 'pid=,ppid=,pgid=,stat='], (_error, stdout) => resolve(stdout ?? ''));
  });
  return output
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [pid, parent, group, state] = line.trim().split(/\s+/);
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        zombie: state?.startsWith('Z') === true,
      };
    });
}
