import { abortable } from '../../base/abort.ts';
import { BrowserError } from '../../platform/browser/browser.ts';

interface UsersTurn {
  readonly over: Promise<void>;
  readonly end: () => void;
}

/** Ensures that the agent and the user never work on the page at the same time. */
export class PageControlLock {
  private readonly work = new Set<Promise<unknown>>();
  private users: UsersTurn | undefined;

  get isUserControlled(): boolean {
    return this.users !== undefined;
  }

  /** Rejects with a `BrowserError` while the user controls the page. */
  async doForAgent<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.users) throw new BrowserError('The user has the page. Wait until they give it back.');
    const result = run();
    this.work.add(result);
    try {
      return await result;
    } finally {
      this.work.delete(result);
    }
  }

  /** Resolves when the user does not control the page, to true if they did before. Rejects with the signal's reason. */
  async untilFree(signal: AbortSignal): Promise<boolean> {
    const had = this.isUserControlled;
    while (this.users) await abortable(this.users.over, signal);
    return had;
  }

  /** Waits for the agent's work, then gives the page to the user. Returns the function that ends the user's turn. */
  async beginUsers(): Promise<() => void> {
    if (this.users) throw new BrowserError('The user has the page already.');
    let resolve = () => {};
    const over = new Promise<void>(done => {
      resolve = done;
    });
    const turn: UsersTurn = {
      over,
      end: () => {
        if (this.users === turn) this.users = undefined;
        resolve();
      },
    };
    this.users = turn;
    await Promise.allSettled(this.work);
    return turn.end;
  }
}
