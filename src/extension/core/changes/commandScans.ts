/*
 * Detects changes of commands while they run: first every second, less often while nothing changes. A command that
 * outlives its call is watched until it ends. It is also scanned right before another writer of the session writes,
 * since afterwards the two could not be told apart.
 */

import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { CommandWatch } from './runningChanges.ts';

/** Milliseconds between two scans. */
const shortestPause = 1000;
const maxPauseMs = 15_000;
/** Scans take at most one part in this many of the time. */
const share = 20;

export class CommandScans {
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly lasting = new Map<CommandWatch, LastingCommand>();

  constructor(clock: Clock, log: Log) {
    this.clock = clock;
    this.log = log;
  }

  /** Starts scanning. The returned function stops it. */
  begin(watch: CommandWatch): () => void {
    let isOver = false;
    let stop: () => void = () => {};
    const scan = async (pause: number) => {
      const start = this.clock.now();
      const found = await this.tryTo(() => watch.scanSettled());
      this.lasting.get(watch)?.notify();
      const next = found === 'busy' ? shortestPause : Math.min(pause * 1.5, maxPauseMs);
      if (!isOver) wait(Math.max(next, (this.clock.now() - start) * share));
    };
    const wait = (pause: number) => {
      stop = this.clock.after(pause, () => void scan(pause));
    };
    wait(shortestPause);
    return () => {
      isOver = true;
      stop();
    };
  }

  /**
   * Keeps watching a command that outlives its call.
   * @param exit resolves when the command has ended
   * @param notify called after each scan
   */
  goOn(watch: CommandWatch, exit: Promise<unknown>, stopScanning: () => void, notify: () => void): void {
    watch.last();
    const tryTo: TryTo = scan => this.tryTo(scan);
    const lasting = new LastingCommand(watch, { tryTo, stopScanning, notify });
    this.lasting.set(watch, lasting);
    // It stays in the list until its last scan is done: the next writer, and `close`, wait for that.
    void exit.then(() => lasting.end()).then(() => this.lasting.delete(watch));
  }

  /** Scans before somebody else writes, or gets the contents. */
  async scanNow(): Promise<void> {
    for (const lasting of this.lasting.values()) await lasting.scan();
  }

  /** Stops watching commands that still run. */
  async close(): Promise<void> {
    for (const [watch, lasting] of this.lasting) {
      await lasting.end();
      this.lasting.delete(watch);
    }
  }

  private async tryTo<T>(scan: () => Promise<T>): Promise<T | undefined> {
    try {
      return await scan();
    } catch (error) {
      this.log.warn(`What a command has changed so far is unknown: ${messageOf(error)}`);
      return undefined;
    }
  }
}

type TryTo = <T>(scan: () => Promise<T>) => Promise<T | undefined>;

/** A command that outlives its call. */
class LastingCommand {
  readonly notify: () => void;
  private readonly watch: CommandWatch;
  private readonly tryTo: TryTo;
  private readonly stopScanning: () => void;
  private ending: Promise<void> | undefined;

  constructor(
    watch: CommandWatch,
    around: { readonly tryTo: TryTo; readonly stopScanning: () => void; readonly notify: () => void },
  ) {
    this.watch = watch;
    this.tryTo = around.tryTo;
    this.stopScanning = around.stopScanning;
    this.notify = around.notify;
  }

  async scan(): Promise<void> {
    if (this.ending) return this.ending;
    await this.tryTo(() => this.watch.scanAll());
    this.notify();
  }

  /** Ends with a last scan, and resolves after it. May be called repeatedly. */
  end(): Promise<void> {
    this.ending ??= this.scanLast();
    return this.ending;
  }

  private async scanLast(): Promise<void> {
    this.stopScanning();
    await this.tryTo(() => this.watch.end());
    this.notify();
  }
}
