/* Messages about background commands after their calls ended, when no result can contain them. */

/** Tells the user at once, and the model with the next result about a command of its session. */
export class LateMessages {
  private readonly notify: (sentence: string) => void;
  private readonly unreported: string[] = [];

  constructor(notify: (sentence: string) => void) {
    this.notify = notify;
  }

  add(sentence: string): void {
    this.unreported.push(sentence);
    this.notify(sentence);
  }

  /** Prepends the messages that the model has not seen yet. */
  before(text: string): string {
    return [...this.unreported.splice(0), text].join('\n');
  }
}
