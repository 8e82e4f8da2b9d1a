/*
 * Runs a program. When standard input ends, interrupts it and all its children, as Ctrl+C does in a terminal.
 * Usage: node interruptible.mjs PROGRAM ARGS…
 */

import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
process.stdin.on('end', () => process.kill(-child.pid, 'SIGINT')).resume();
child.on('close', code => process.exit(code ?? 1));
