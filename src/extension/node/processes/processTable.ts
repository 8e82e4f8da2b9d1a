import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findSystemProgram } from './programs.ts';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended, but nobody has asked how. */
  readonly zombie: boolean;
}

/**
 * The living processes that belong to some leaders: themselves, their groups, their sessions (`timeout` and
 * shells with job control open groups of their own), and all descendants of these.
 */
export async function listTree(leaders: ReadonlySet<number>): Promise<readonly ProcessRow[]> {
  return treeOf(leaders, process.platform === 'linux' ? readProc() : await readPs());
}

/** Living processes that were started with this in their environment, `NAME=value`. Only Linux tells. */
export function listMarked(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && environmentOf(name).includes(mark));
  return pids.map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // Ended meanwhile, or somebody else's.
    return [];
  }
}

function treeOf(leaders: ReadonlySet<number>, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const members = new Set<number>();
  for (const row of rows) {
    if (leaders.has(row.pid) || leaders.has(row.group) || leaders.has(row.session)) members.add(row.pid);
  }
  // A set may grow while it is walked: children of children come later in the same loop.
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
    // It has ended since its name was read.
    return undefined;
  }
  // The second field is the name in brackets and may itself hold brackets and blanks.
  const [state, parent, group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
  };
}

/** For systems without /proc. Their `ps` does not tell sessions reliably. */
async function readPs(): Promise<readonly ProcessRow[]> {
  const output = await new Promise<string>(resolve => {
    const ps = findSystemProgram('ps');
    // Without `ps` there is nothing to see; ending the group still works.
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
