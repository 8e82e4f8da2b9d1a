/* Environment and inactivity timeout of commands that the agent runs. */

import { abortable } from '../base/abort.ts';
import type { Clock } from './clock.ts';
import type { ProcessExit, RunningProcess } from './processes.ts';

/**
 * Disables pagers and password prompts, which nobody answers. Also keeps git from treating a folder that looks like a
 * bare repository as one, since anyone can write such a folder and its settings name programs to run.
 */
const quietEnv: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GEMINI_CLI: '1',
  GIT_CONFIG_PARAMETERS: "'safe.bareRepository=explicit'",
};

/** An editor would wait forever. This one leaves the text unchanged, so that git takes the message it prepared. */
const noEditor = 'true';

export const unattendedEnv: Readonly<Record<string, string>> = {
  ...quietEnv,
  EDITOR: noEditor,
  VISUAL: noEditor,
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
};

/** For commands that the user attends in a terminal. */
export const attendedEnv: Readonly<Record<string, string>> = {
  ...quietEnv,
  GIT_TERMINAL_PROMPT: '1',
  TERM: 'xterm-256color',
};

/** Waits until the command exits or is silent for too long, then stops it. An abort stops its process tree. */
export async function waitForExitOrStop(
  process: RunningProcess,
  silence: InactivityTimer,
  signal: AbortSignal,
): Promise<ProcessExit> {
  try {
    const first = await abortable(Promise.race([process.exit, silence.tooLong]), signal);
    if (first !== 'tooLong') return first;
    await process.stop();
    return await process.exit;
  } catch (error) {
    // Only an abort gets here: `exit` and `tooLong` never reject.
    await process.stop();
    throw error;
  }
}

/** Fires after this many seconds without output; never for 0. */
export class InactivityTimer {
  readonly seconds: number;
  readonly tooLong: Promise<'tooLong'>;
  isOver = false;
  private readonly clock: Pick<Clock, 'now' | 'sleep'>;
  private readonly ended = new AbortController();
  private last: number;

  /** @param isExcused true while no output can arrive, which stops the clock */
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
        // Only `end` ends the watch early, when nobody waits any more.
        () => {},
      );
    });
  }

  reset(): void {
    this.last = this.clock.now();
  }

  end(): void {
    this.ended.abort();
  }

  private async watch(isExcused: () => boolean): Promise<void> {
    while (true) {
      if (isExcused()) this.reset();
      const left = this.last + this.seconds * 1000 - this.clock.now();
      if (left <= 0) return;
      await this.clock.sleep(left, this.ended.signal);
    }
  }
}
