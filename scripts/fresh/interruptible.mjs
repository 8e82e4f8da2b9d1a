/*
 * Runs a program, and interrupts it with all that it started once standard input ends, as Ctrl+C does in a terminal.
 * Usage: node interruptible.mjs PROGRAM ARGS…
 */

import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
process.stdin.on('end', () => process.kill(-child.pid, 'SIGINT')).resume();
child.on('close', code => process.exit(code ?? 1));
