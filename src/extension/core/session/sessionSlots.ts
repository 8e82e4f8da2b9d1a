/*
 * Limits how many sessions of the user's windows work at once. Without a free slot, a prompt waits in its session's
 * queue and in the line here, first come, first served:
 *
 *   prompt ─► a slot is free: a turn
 *          └► waits in line ─► a slot is free, or the user starts it now ─► a turn
 *
 * A session that waits for the user releases its slot. It takes one again afterwards, whether or not one is free.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import type { Disposable } from '../../base/disposable.ts';

/** A session that works. */
interface Worker {
  /** False while it waits for the user. */
  readonly isAtWork: boolean;
}

interface WaitingPrompt {
  /** False once it was sent or removed, or its session closed. */
  readonly isWaiting: boolean;
  start(): void;
  /** Number of prompts before it; undefined: it has left the line. */
  report(ahead: number | undefined): void;
}

/** Sessions of other windows. */
export interface OtherWindowsWork {
  count(): number;
  /** Number of sessions working in this window. */
  report(working: number): void;
  /** Calls the listener regularly, whenever the number may have changed. */
  watch(listener: () => void): Disposable;
}

export class SessionSlots {
  private readonly max: () => number;
  private readonly others: OtherWindowsWork;
  private readonly working = new Set<Worker>();
  private line: WaitingPrompt[] = [];
  private watching: Disposable | undefined;

  /** @param max 0: no limit */
  constructor(max: () => number, others: OtherWindowsWork) {
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

  /** Call with events of a session and its subagents, since questions make it wait. */
  hear(type: SessionEvent['type']): void {
    if (type.endsWith('.asked') || type.endsWith('.decided')) this.changed();
  }

  /** Call when a session starts or stops working or waiting. */
  changed(): void {
    // Without a limit, nothing is written.
    this.others.report(this.max() > 0 ? this.atWork : 0);
    for (const prompt of this.line) if (!prompt.isWaiting) prompt.report(undefined);
    this.line = this.line.filter(({ isWaiting }) => isWaiting);
    const [first] = this.line;
    if (first && !this.isFull) {
      this.line.shift();
      // Starting a turn calls this again for the next prompt.
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
