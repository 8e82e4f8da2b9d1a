/*
 * Limits how many sessions of the user's windows work at once. A prompt that finds no free place waits in the queue of
 * its session, and in the line here, first come, first served:
 *
 *   prompt ─► a place is free: a turn
 *          └► waits in line ─► a place is free, or the user starts it now ─► a turn
 *
 * A session that waits for the user gives up its place, and takes one again whether or not one is free.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import type { Disposable } from '../../base/disposable.ts';

/** A session that works. */
interface Worker {
  /** False while it waits for the user. */
  readonly isAtWork: boolean;
}

interface WaitingPrompt {
  /** False once it was sent, removed, or its session closed. */
  readonly isWaiting: boolean;
  start(): void;
  /** So many wait before it; undefined: it is not in the line any more. */
  report(ahead: number | undefined): void;
}

/** Sessions of other windows. */
export interface OtherWorkers {
  count(): number;
  /** So many work in this window. */
  report(working: number): void;
  /** Calls back every now and then, whenever the number may have changed. */
  watch(listener: () => void): Disposable;
}

export class WorkPlaces {
  private readonly max: () => number;
  private readonly others: OtherWorkers;
  private readonly working = new Set<Worker>();
  private line: WaitingPrompt[] = [];
  private watching: Disposable | undefined;

  /** @param max 0: no limit */
  constructor(max: () => number, others: OtherWorkers) {
    this.max = max;
    this.others = others;
  }

  get isFull(): boolean {
    const max = this.max();
    return max > 0 && this.atWork + this.others.count() >= max;
  }

  enter(worker: Worker): void {
    this.working.add(worker);
    this.changed();
  }

  leave(worker: Worker): void {
    if (this.working.delete(worker)) this.changed();
  }

  wait(prompt: WaitingPrompt): void {
    this.line.push(prompt);
    this.changed();
  }

  /** An event of a session or of its subagents, whose questions have it wait, too. */
  hear(type: SessionEvent['type']): void {
    if (type.endsWith('.asked') || type.endsWith('.decided')) this.changed();
  }

  /** Somebody began or ended to work or to wait. */
  changed(): void {
    // Nothing is written where nothing is limited.
    this.others.report(this.max() > 0 ? this.atWork : 0);
    for (const prompt of this.line) if (!prompt.isWaiting) prompt.report(undefined);
    this.line = this.line.filter(({ isWaiting }) => isWaiting);
    const [first] = this.line;
    if (first && !this.isFull) {
      this.line.shift();
      // It enters, which comes back here for the next.
      first.start();
      return;
    }
    for (const [ahead, prompt] of this.line.entries()) prompt.report(ahead);
    if (this.line.length > 0) this.watching ??= this.others.watch(() => this.changed());
    else this.endWatch();
  }

  private endWatch(): void {
    this.watching?.dispose();
    this.watching = undefined;
  }

  private get atWork(): number {
    return [...this.working].filter(({ isAtWork }) => isAtWork).length;
  }
}
