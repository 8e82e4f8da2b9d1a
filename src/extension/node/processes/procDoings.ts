/* Linux tells what each thread of a process waits for: by the system call that it is in. */

import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { readOf } from './procFiles.ts';

/** `watches`: its terminal, perhaps beside other things. `sleeps`: whatever it waits for, it is no key. */
export type Doing = 'reads' | 'watches' | 'runs' | 'sleeps' | 'unknown';

/** System calls by their numbers, of the machines that there are binaries for (Linux: `unistd.h`). */
const calls = {
  x64: { read: [0], poll: [7, 271], select: [23, 270], epoll: [232, 281, 441] },
  arm64: { read: [63], poll: [73], select: [72], epoll: [22, 441] },
};

/** More are never looked at. */
const mostFiles = 1024;

export function doingsOf(pid: number): readonly Doing[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(thread => doingOf(pid, thread));
  } catch {
    // Ended meanwhile.
    return [];
  }
}

function doingOf(pid: number, thread: string): Doing {
  const line = readOf(pid, `task/${thread}/syscall`);
  const known = process.arch === 'x64' || process.arch === 'arm64' ? calls[process.arch] : undefined;
  if (line === undefined || known === undefined) return 'unknown';
  if (line.startsWith('running')) return 'runs';
  const [call = -1, first = 0, second = 0] = line.split(' ').map(Number);
  if (known.read.includes(call)) return givesKeys(pid, first) ? 'reads' : 'sleeps';
  const watched = known.poll.includes(call)
    ? polled(pid, first, second)
    : known.select.includes(call)
      ? selected(pid, first, second)
      : known.epoll.includes(call)
        ? registered(pid, first)
        : [];
  if (watched === undefined) return 'watches';
  return watched.some(file => givesKeys(pid, file)) ? 'watches' : 'sleeps';
}

/** Files that an array of `struct pollfd` waits to read from; undefined: it cannot be seen. */
function polled(pid: number, at: number, count: number): readonly number[] | undefined {
  const memory = readMemory(pid, at, Math.min(count, mostFiles) * 8);
  if (!memory) return undefined;
  const entries = Array.from({ length: memory.length / 8 }, (_, index) => index * 8);
  return entries.filter(entry => memory.readInt16LE(entry + 4) & 1).map(entry => memory.readInt32LE(entry));
}

/** The same of a set of bits. */
function selected(pid: number, count: number, at: number): readonly number[] | undefined {
  if (at === 0) return [];
  const bits = Math.min(count, mostFiles);
  const memory = readMemory(pid, at, Math.ceil(bits / 8));
  return (
    memory &&
    Array.from({ length: bits }, (_, bit) => bit).filter(bit => memory[bit >> 3]! & (1 << (bit & 7)))
  );
}

/** The same of what was registered with an event poll. */
function registered(pid: number, file: number): readonly number[] | undefined {
  const lines = readOf(pid, `fdinfo/${file}`)?.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm);
  return (
    lines &&
    [...lines].filter(([, , events]) => Number.parseInt(events!, 16) & 1).map(([, each]) => Number(each))
  );
}

function readMemory(pid: number, at: number, length: number): Buffer | undefined {
  if (endianness() !== 'LE') return undefined;
  try {
    const memory = openSync(`/proc/${pid}/mem`, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return readSync(memory, bytes, 0, length, at) === length ? bytes : undefined;
    } finally {
      closeSync(memory);
    }
  } catch {
    // Ended meanwhile, or somebody else's.
    return undefined;
  }
}

/** Its file is a terminal, or the socket that stands for one as its standard input. */
function givesKeys(pid: number, file: number): boolean {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/${file}`);
    return /^\/dev\/(?:pts\/|tty|console)/.test(path) || (file === 0 && path.startsWith('socket:'));
  } catch {
    // Ended meanwhile.
    return false;
  }
}
