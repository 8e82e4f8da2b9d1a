/* Notices that a program waits for somebody to type. */

import { Emitter } from '../../base/emitter.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import { listTree } from './processTable.ts';
import { foregroundGroup } from './procFiles.ts';

/** Milliseconds between two looks: a prompt is noticed at the second at the latest. */
const interval = 300;
/** A program that prints in so many intervals in a row does not wait. */
const busyIntervals = 3;
/** Characters at the end of the output in which a prompt stands. */
const promptLength = 300;

/**
 * A program waits when it has printed nothing for a moment and reads its terminal; where the system does not tell
 * that, or the program watches its terminal beside other things, when its last line is unfinished, as that of a prompt is.
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
    const { doingsOf } = await import('./procDoings.ts');
    const doings = tree
      .filter(({ group }) => inFront === undefined || group === inFront)
      .flatMap(({ pid }) => doingsOf(pid));
    if (doings.includes('reads')) return true;
    if (doings.includes('runs')) return false;
    return seemsTo && (doings.includes('watches') || doings.includes('unknown'));
  }
}

function hasUnfinishedLine(tail: string): boolean {
  const plain = plainTerminalText(tail);
  return plain.slice(plain.lastIndexOf('\n') + 1).trim() !== '';
}
