import { Emitter } from '../../base/emitter.ts';

/**
 * Runs of commands that name Git, and of tools that may do anything: what is put into Git's index meanwhile may be
 * theirs. What is put there at other times is the user's.
 */
export class GitUse {
  private readonly ended = new Emitter<void>();
  private begins = 0;
  private ends = 0;
  /** A run is over, with all that its call has left running. */
  readonly onDidEnd = this.ended.event;

  get isRunning(): boolean {
    return this.begins > this.ends;
  }

  /** The same at two times: no run has begun or ended between them. */
  get count(): number {
    return this.begins + this.ends;
  }

  /** @param lasting what continues when the run has ended; `undefined`: nothing */
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

/** @param line of a shell */
export function namesGit(line: string): boolean {
  return /\bgit\b/.test(line);
}
