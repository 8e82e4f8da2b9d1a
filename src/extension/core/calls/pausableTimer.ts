import type { Clock } from '../../platform/clock.ts';

/** A timer that can be paused. */
export class PausableTimer {
  private readonly clock: Pick<Clock, 'now' | 'after'>;
  private readonly ring: () => void;
  private left: number;
  private holds = 0;
  /** While it runs: its start time and how to cancel it. */
  private running: { readonly since: number; readonly cancel: () => void } | undefined;

  constructor(clock: Pick<Clock, 'now' | 'after'>, ms: number, ring: () => void) {
    this.clock = clock;
    this.left = ms;
    this.ring = ring;
    this.go();
  }

  /** Pauses the timer. Each call needs one `release`. */
  hold(): void {
    this.holds++;
    if (this.holds === 1) this.pause();
  }

  release(): void {
    this.holds--;
    if (this.holds === 0) this.go();
  }

  dispose(): void {
    this.holds = Number.POSITIVE_INFINITY;
    this.pause();
  }

  private go(): void {
    this.running = { since: this.clock.now(), cancel: this.clock.after(this.left, this.ring) };
  }

  private pause(): void {
    if (!this.running) return;
    this.running.cancel();
    this.left = Math.max(0, this.left - (this.clock.now() - this.running.since));
    this.running = undefined;
  }
}
