/*
 * Runs a program in its own process group and ends the group when standard input closes. The kernel closes it when the
 * parent ends, even by a crash, so no server outlives the run that started it. Usage: node guard.ts PROGRAM ARGS…
 */

import { spawn } from 'node:child_process';

const grace = 5000;

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('guard.ts needs a program to run.');

const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', error => {
  console.error(error.message);
  process.exit(1);
});
child.on('exit', code => {
  signalGroup('SIGKILL');
  process.exit(code ?? 1);
});

process.stdin.on('close', end).resume();
process.on('SIGINT', end);
process.on('SIGTERM', end);

function end(): void {
  signalGroup('SIGTERM');
  setTimeout(() => {
    signalGroup('SIGKILL');
    process.exit(1);
  }, grace);
}

function signalGroup(signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All processes of the group have already ended.
  }
}
