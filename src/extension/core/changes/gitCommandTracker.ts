import { Emitter } from '../../base/emitter.ts';

/**
 * Tracks runs of commands that name Git, and of tools that may do anything. Changes of Git's index meanwhile may be
 * theirs; at other times they are the user's.
 */
export class GitCommandTracker {
  private readonly ended = new Emitter<void>();
  private begins = 0;
  private ends = 0;
  /** Fires after a run and all processes left by its call have ended. */
  readonly onDidEnd = this.ended.event;

  get isRunning(): boolean {
    return this.begins > this.ends;
  }

  /** Equal at two times if no run began or ended in between. */
  get count(): number {
    return this.begins + this.ends;
  }

  /** @param lasting resolves when processes that outlive the run have ended; `undefined`: there are none */
  async during<T>(run: () => Promise<T>, lasting: () => Promise<unknown> | undefined): Promise<T> {
    this.begins += 1;
    const end = () => {
      this.ends += 1;
      this.ended.fire();
    };
    try {
      return await run();
    } finally {
      const goesOn = lasting();
      if (goesOn) void goesOn.then(end, end);
      else end();
    }
  }
}

/** @param line a shell command */
export function mentionsGit(line: string): boolean {
  return /\bgit\b/.test(line);
}
