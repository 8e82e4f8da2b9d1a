/* Detects whether a shell reads the input of a terminal. */

import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { ForegroundShell } from '../../platform/processes.ts';
import { listTree } from './processTable.ts';
import { foregroundGroup, readProcFile } from './procFiles.ts';

/**
 * Returns the shell, or program that leads to one, that reads what is typed; `undefined` if another program does. Where
 * that is unknown, as outside Linux, returns `{}`.
 */
export async function findShellInFront(pid: number): Promise<ForegroundShell | undefined> {
  if (process.platform !== 'linux') return {};
  const front = foregroundGroup(pid);
  const tree = await listTree(new Set([pid]));
  const inFront = tree
    .filter(({ group }) => group === front)
    .map(row => ({ pid: row.pid, args: argsOf(row.pid) }));
  const readable = inFront.filter(({ args }) => args.length > 0);
  if (readable.length === 0) return {};
  const found = readable.findLast(({ args }) => mayRunTypedCommands(args));
  return found && { cwd: isShell(found.args) ? folderOf(found.pid) : undefined };
}

/**
 * True for a shell that runs no script, or a program that leads to one: on another machine, as another user, or in
 * another terminal.
 */
export function mayRunTypedCommands(args: readonly string[]): boolean {
  // Sandboxed programs are visible, except those in a session of their own.
  if (nameOf(args) === 'bwrap') return args.includes('--new-session');
  if (leading.has(nameOf(args))) return true;
  return isShell(args) && !runsScript(args.slice(1));
}

function isShell(args: readonly string[]): boolean {
  return /^(?:(?:ba|z|da|k|mk|pdk|lk|fi|tc|c|a|ya|nu|o|xon)?sh|r?bash|nu|elvish|pwsh|powershell|busybox|toybox)$/.test(
    nameOf(args),
  );
}

/** Unknown flags count as those without a script. */
function runsScript(args: readonly string[]): boolean {
  const flags = args.filter(arg => /^-[a-zA-Z]+$/.test(arg)).join('');
  if (flags.includes('i')) return false;
  return flags.includes('c') || (args[0] !== undefined && !/^[-+]/.test(args[0]));
}

function nameOf([program = '']: readonly string[]): string {
  return basename(program)
    .replace(/^-|\.exe$/g, '')
    .toLowerCase();
}

const leading = new Set(
  (
    'ssh mosh mosh-client telnet rlogin docker podman nerdctl ctr crictl kubectl oc lxc incus machinectl nsenter ' +
    'sudo doas su runuser pkexec screen tmux zellij script expect socat nc ncat adb vagrant multipass wsl ' +
    'distrobox toolbox flatpak gcloud aws az heroku fly flyctl'
  ).split(' '),
);

function argsOf(pid: number): readonly string[] {
  return (readProcFile(pid, 'cmdline') ?? '').split('\0').slice(0, -1);
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}
