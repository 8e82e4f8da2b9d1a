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

/** A command that goes on after its call. */
interface Lasting {
  /** Ends its looks with a last one. */
  readonly end: () => Promise<void>;
  readonly tell: () => void;
}

export class CommandLooks {
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly lasting = new Map<CommandWatch, Lasting>();

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
    const end = async () => {
      if (!this.lasting.delete(watch)) return;
      stopLooking();
      await this.tryTo(() => watch.end());
      tell();
    };
    this.lasting.set(watch, { end, tell });
    void exit.then(end);
  }

  /** Somebody else is about to write, or to be told what stands there. */
  async lookNow(): Promise<void> {
    for (const [watch, { tell }] of this.lasting) {
      await this.tryTo(() => watch.lookAtAll());
      tell();
    }
  }

  /** Commands that go on are no longer followed. */
  async close(): Promise<void> {
    for (const { end } of [...this.lasting.values()]) await end();
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
