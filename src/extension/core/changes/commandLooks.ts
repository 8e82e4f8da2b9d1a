/*
 * Looks at what commands change while they run, at first each second and less often where nothing happens. A command
 * that goes on when its call has ended is looked at until it ends, too, and right before somebody else of the session
 * writes: from then on nobody could tell the two apart.
 */

import { messageOf } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { CommandWatch } from './runningChanges.ts';

/** Milliseconds between two looks. */
const shortestPause = 1000;
const longestPause = 15_000;
/** A look takes at most this part of the time. */
const share = 20;

export class CommandLooks {
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly lasting = new Map<CommandWatch, LastingCommand>();

  constructor(clock: Clock, log: Log) {
    this.clock = clock;
    this.log = log;
  }

  /** The function that it returns ends the looks. */
  begin(watch: CommandWatch): () => void {
    let isOver = false;
    let stop: () => void = () => {};
    const look = async (pause: number) => {
      const start = this.clock.now();
      const found = await this.tryTo(() => watch.lookAtSettled());
      this.lasting.get(watch)?.tell();
      const next = found === 'busy' ? shortestPause : Math.min(pause * 1.5, longestPause);
      if (!isOver) wait(Math.max(next, (this.clock.now() - start) * share));
    };
    const wait = (pause: number) => {
      stop = this.clock.after(pause, () => void look(pause));
    };
    wait(shortestPause);
    return () => {
      isOver = true;
      stop();
    };
  }

  /**
   * The call has ended, its command goes on.
   * @param exit resolves when the command has ended, too
   * @param tell is called after each look
   */
  goOn(watch: CommandWatch, exit: Promise<unknown>, stopLooking: () => void, tell: () => void): void {
    watch.last();
    const tryTo: TryTo = look => this.tryTo(look);
    const lasting = new LastingCommand(watch, { tryTo, stopLooking, tell });
    this.lasting.set(watch, lasting);
    // Stays in the list until its last look has been taken: who writes next, and who closes, waits for that.
    void exit.then(() => lasting.end()).then(() => this.lasting.delete(watch));
  }

  /** Somebody else is about to write, or to be told what stands there. */
  async lookNow(): Promise<void> {
    for (const lasting of this.lasting.values()) await lasting.look();
  }

  /** Commands that go on are no longer followed. */
  async close(): Promise<void> {
    for (const [watch, lasting] of this.lasting) {
      await lasting.end();
      this.lasting.delete(watch);
    }
  }

  private async tryTo<T>(look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      this.log.warn(`What a command has changed so far is unknown: ${messageOf(error)}`);
      return undefined;
    }
  }
}

type TryTo = <T>(look: () => Promise<T>) => Promise<T | undefined>;

/** A command that goes on after its call. */
class LastingCommand {
  readonly tell: () => void;
  private readonly watch: CommandWatch;
  private readonly tryTo: TryTo;
  private readonly stopLooking: () => void;
  private ending: Promise<void> | undefined;

  constructor(
    watch: CommandWatch,
    around: { readonly tryTo: TryTo; readonly stopLooking: () => void; readonly tell: () => void },
  ) {
    this.watch = watch;
    this.tryTo = around.tryTo;
    this.stopLooking = around.stopLooking;
    this.tell = around.tell;
  }

  async look(): Promise<void> {
    if (this.ending) return this.ending;
    await this.tryTo(() => this.watch.lookAtAll());
    this.tell();
  }

  /** Ends its looks with a last one; resolves when that has been taken, however often it is called. */
  end(): Promise<void> {
    this.ending ??= this.lookLast();
    return this.ending;
  }

  private async lookLast(): Promise<void> {
    this.stopLooking();
    await this.tryTo(() => this.watch.end());
    this.tell();
  }
}
