/* A command that nobody attends: what it must not wait for, and when it has waited long enough. */

import { abortable } from '../base/abort.ts';
import type { Clock } from './clock.ts';
import type { ProcessExit, RunningProcess } from './processes.ts';

/**
 * Nobody can answer a pager or a prompt for a password. And a folder that merely looks like the inside of a repository,
 * which anyone can write, must not be taken for one: its settings would name programs that git starts.
 */
const quietEnv: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GEMINI_CLI: '1',
  GIT_CONFIG_PARAMETERS: "'safe.bareRepository=explicit'",
};

/** An editor would wait for ever. This one leaves the text as it is, so that Git takes a message that is there. */
const noEditor = 'true';

export const unattendedEnv: Readonly<Record<string, string>> = {
  ...quietEnv,
  EDITOR: noEditor,
  VISUAL: noEditor,
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
};

/** Somebody attends it, in a terminal. */
export const attendedEnv: Readonly<Record<string, string>> = {
  ...quietEnv,
  GIT_TERMINAL_PROMPT: '1',
  TERM: 'xterm-256color',
};

/**
 * Until the command ends automatically or falls silent for too long; an abort takes the whole tree down and rejects.
 */
export async function untilExit(
  process: RunningProcess,
  silence: SilenceWatch,
  signal: AbortSignal,
): Promise<ProcessExit> {
  try {
    const first = await abortable(Promise.race([process.exit, silence.tooLong]), signal);
    if (first !== 'tooLong') return first;
    await process.stop();
    return await process.exit;
  } catch (error) {
    // Only the abort gets here: `exit` and `tooLong` never reject.
    await process.stop();
    throw error;
  }
}

/** Fires once nothing was heard for so many seconds; 0: never. */
export class SilenceWatch {
  readonly seconds: number;
  readonly tooLong: Promise<'tooLong'>;
  isOver = false;
  private readonly clock: Pick<Clock, 'now' | 'sleep'>;
  private readonly ended = new AbortController();
  private last: number;

  /** @param isExcused meanwhile nothing could be heard; absent: it always could */
  constructor(clock: Pick<Clock, 'now' | 'sleep'>, seconds: number, isExcused = () => false) {
    this.clock = clock;
    this.seconds = seconds;
    this.last = clock.now();
    this.tooLong = new Promise(resolve => {
      if (seconds <= 0) return;
      this.watch(isExcused).then(
        () => {
          this.isOver = true;
          resolve('tooLong');
        },
        // The watch is only ended early by `end`, when nobody waits any more.
        () => {},
      );
    });
  }

  heard(): void {
    this.last = this.clock.now();
  }

  end(): void {
    this.ended.abort();
  }

  private async watch(isExcused: () => boolean): Promise<void> {
    while (true) {
      if (isExcused()) this.heard();
      const left = this.last + this.seconds * 1000 - this.clock.now();
      if (left <= 0) return;
      await this.clock.sleep(left, this.ended.signal);
    }
  }
}
