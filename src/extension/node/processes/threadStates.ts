/* Determines what each thread of a process waits for, by its current system call. Linux only. */

import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { constants, endianness } from 'node:os';
import { readProcFile } from './procFiles.ts';

/** A thread, and what it waits for. */
export interface ThreadState {
  /** Unique id. */
  readonly thread: string;
  /**
   * `reads`: its terminal, until a key arrives. `watches`: the same, possibly among other files. `polls`: watches its
   * terminal with a timeout, or together with files that bring work without a key. `sleeps`: waits for anything else.
   */
  readonly what: 'reads' | 'watches' | 'polls' | 'runs' | 'sleeps' | 'unknown';
  /** Number of times it has waited; grows when the thread is woken. */
  readonly waited: string | undefined;
}

/**
 * System call numbers of the architectures with binaries (Linux: `unistd.h`). A time limit is a number of milliseconds,
 * or an address, which is zero for none.
 */
const calls = {
  x64: { read: [0], poll: [7, 271], select: [23, 270], epoll: [232, 281, 441], byNumber: [7, 232, 281] },
  arm64: { read: [63], poll: [73], select: [72], epoll: [22, 441], byNumber: [22] },
};
/** Index of the time limit in each call's arguments. */
const limitAt = { poll: 2, select: 4, epoll: 3 };

/** Maximum number of files to inspect. */
const maxFiles = 1024;

export function threadStatesOf(pid: number): readonly ThreadState[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(thread => ({
      thread: `${pid}/${thread}`,
      what: threadStateOf(pid, thread),
      waited: /^voluntary_ctxt_switches:\s*(\d+)/m.exec(
        readProcFile(pid, `task/${thread}/status`) ?? '',
      )?.[1],
    }));
  } catch {
    // It has ended.
    return [];
  }
}

function threadStateOf(pid: number, thread: string): ThreadState['what'] {
  const line = readProcFile(pid, `task/${thread}/syscall`);
  const known = process.arch === 'x64' || process.arch === 'arm64' ? calls[process.arch] : undefined;
  if (line === undefined || known === undefined) return 'unknown';
  if (line.startsWith('running')) return 'runs';
  const [call = -1, ...given] = line.split(' ').map(Number);
  const [first = 0, second = 0] = given;
  if (known.read.includes(call)) {
    if (!givesKeys(pid, first)) return 'sleeps';
    return hasAlarm(pid) ? 'polls' : 'reads';
  }
  const kind = (['poll', 'select', 'epoll'] as const).find(each => known[each].includes(call));
  if (kind === undefined) return 'sleeps';
  const watched = watchedBy(kind, pid, first, second);
  if (watched === undefined) return 'unknown';
  if (!watched.some(file => givesKeys(pid, file))) return 'sleeps';
  const limit = given[limitAt[kind]] ?? 0;
  const isEndless = known.byNumber.includes(call) ? (limit | 0) < 0 : limit === 0;
  return isEndless && !watched.some(file => givesWork(pid, file)) ? 'watches' : 'polls';
}

function watchedBy(
  kind: keyof typeof limitAt,
  pid: number,
  first: number,
  second: number,
): readonly number[] | undefined {
  if (kind === 'poll') return polled(pid, first, second);
  return kind === 'select' ? selected(pid, first, second) : registered(pid, first);
}

/** Shells limit the time of a read by an alarm signal, for which they install a handler. */
function hasAlarm(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(readProcFile(pid, 'status') ?? '')?.[1] ?? '0';
  return ((BigInt(`0x${caught}`) >> BigInt(constants.signals.SIGALRM - 1)) & 1n) === 1n;
}

/** Files that an array of `struct pollfd` waits to read. `undefined` if it cannot be read. */
function polled(pid: number, at: number, count: number): readonly number[] | undefined {
  const memory = readMemory(pid, at, Math.min(count, maxFiles) * 8);
  if (!memory) return undefined;
  const entries = Array.from({ length: memory.length / 8 }, (_, index) => index * 8);
  return entries.filter(entry => memory.readInt16LE(entry + 4) & 1).map(entry => memory.readInt32LE(entry));
}

/** File descriptors in a bit set of `select`. `undefined` if the process's memory cannot be read. */
function selected(pid: number, count: number, at: number): readonly number[] | undefined {
  if (at === 0) return [];
  const bits = Math.min(count, maxFiles);
  const memory = readMemory(pid, at, Math.ceil(bits / 8));
  return (
    memory &&
    Array.from({ length: bits }, (_, bit) => bit).filter(bit => memory[bit >> 3]! & (1 << (bit & 7)))
  );
}

/** Files that epoll waits to read. `undefined` if they cannot be read. */
function registered(pid: number, file: number): readonly number[] | undefined {
  const lines = readProcFile(pid, `fdinfo/${file}`)?.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm);
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
    // It has ended, or belongs to another user.
    return undefined;
  }
}

/** The file is a terminal, or the socket that replaces one as standard input. */
function givesKeys(pid: number, file: number): boolean {
  const path = openFile(pid, file);
  return /^\/dev\/(?:pts\/|tty|console)/.test(path) || (file === 0 && path.startsWith('socket:'));
}

/** File changes and messages of other processes. */
function givesWork(pid: number, file: number): boolean {
  return file !== 0 && /^(?:socket:|anon_inode:\[?inotify)/.test(openFile(pid, file));
}

function openFile(pid: number, file: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${file}`);
  } catch {
    // It has ended.
    return '';
  }
}
