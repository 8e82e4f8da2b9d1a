/* Notices that a program waits for somebody to type. */

import { readlinkSync } from 'node:fs';
import { Emitter } from '../../base/emitter.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { listTree } from './processTable.ts';
import { foregroundGroup, readOf } from './procFiles.ts';

/** Milliseconds between two looks: a prompt is noticed at the second at the latest. */
const interval = 300;
/** A program that prints in so many intervals in a row does not wait. */
const busyIntervals = 3;
/** Characters at the end of the output in which a prompt stands. */
const promptLength = 300;

/**
 * A program waits when it has printed nothing for a moment and reads its terminal; where the system does not tell
 * that, or the program watches many things at once, when its last line is unfinished, as that of a prompt is.
 */
export class WaitWatch {
  private readonly pid: number;
  private readonly timer: NodeJS.Timeout;
  private readonly changed = new Emitter<boolean>();
  readonly onDidChange = this.changed.event;
  private tail = '';
  private isFullScreen = false;
  private wrote = true;
  private busy = 0;
  private waits = false;
  private looking = false;
  private ended = false;

  constructor(pid: number) {
    this.pid = pid;
    this.timer = setInterval(() => void this.look(), interval);
    this.timer.unref();
  }

  heard(text: string): void {
    this.wrote = true;
    this.tail = (this.tail + text).slice(-promptLength);
    const changes = [...this.tail.matchAll(/\u001b\[\?(?:1049|1047|47)([hl])/g)];
    this.isFullScreen = changes.length > 0 ? changes.at(-1)?.[1] === 'h' : this.isFullScreen;
  }

  answered(): void {
    this.wrote = true;
    // Somebody may answer as soon as they are told: the others hear that it waits before they hear that it no longer does.
    queueMicrotask(() => this.set(false));
  }

  end(): void {
    this.ended = true;
    clearInterval(this.timer);
    this.set(false);
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const isQuiet = !this.wrote;
    this.wrote = false;
    this.busy = isQuiet ? 0 : this.busy + 1;
    if (isQuiet) {
      const waits = await this.isWaiting();
      if (!this.wrote && !this.ended) this.set(waits);
    } else if (this.busy >= busyIntervals) this.set(false);
    this.looking = false;
  }

  private set(waits: boolean): void {
    if (waits === this.waits) return;
    this.waits = waits;
    this.changed.fire(waits);
  }

  private async isWaiting(): Promise<boolean> {
    const seemsTo = this.isFullScreen || hasUnfinishedLine(this.tail);
    if (process.platform !== 'linux') return seemsTo;
    const tree = await listTree(new Set([this.pid]));
    const inFront = foregroundGroup(this.pid);
    const doings = tree.filter(({ group }) => inFront === undefined || group === inFront).map(doingOf);
    if (doings.includes('reads')) return true;
    if (doings.includes('runs')) return false;
    return seemsTo && (doings.includes('watches') || doings.includes('unknown'));
  }
}

function hasUnfinishedLine(tail: string): boolean {
  const plain = plainTerminalText(tail);
  return plain.slice(plain.lastIndexOf('\n') + 1).trim() !== '';
}

type Doing = 'reads' | 'watches' | 'runs' | 'sleeps' | 'unknown';

/** System calls by their numbers, of the machines that there are binaries for (Linux: `unistd.h`). */
const calls = {
  x64: { read: [0], watch: [7, 23, 232, 270, 271, 281, 441] },
  arm64: { read: [63], watch: [22, 72, 73, 441] },
};

function doingOf({ pid }: { readonly pid: number }): Doing {
  const line = readOf(pid, 'syscall');
  const known = process.arch === 'x64' || process.arch === 'arm64' ? calls[process.arch] : undefined;
  if (line === undefined || known === undefined) return 'unknown';
  if (line.startsWith('running')) return 'runs';
  const [call, first] = line.split(' ');
  if (known.watch.includes(Number(call))) return 'watches';
  return known.read.includes(Number(call)) && readsKeys(pid, Number(first)) ? 'reads' : 'sleeps';
}

/** Its file is a terminal, or the socket that stands for one as its standard input. */
function readsKeys(pid: number, file: number): boolean {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/${file}`);
    return /^\/dev\/(?:pts\/|tty|console)/.test(path) || (file === 0 && path.startsWith('socket:'));
  } catch {
    // Ended meanwhile.
    return false;
  }
}
