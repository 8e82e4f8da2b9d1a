/* News of commands that run on after their calls: nobody waits for a result that could say them. */

/** Tells the user at once, and the model with what it next hears of a command of its session. */
export class LateNews {
  private readonly notify: (sentence: string) => void;
  private readonly unreported: string[] = [];

  constructor(notify: (sentence: string) => void) {
    this.notify = notify;
  }

  add(sentence: string): void {
    this.unreported.push(sentence);
    this.notify(sentence);
  }

  /** Puts what the model has not heard yet before a text for it. */
  before(text: string): string {
    return [...this.unreported.splice(0), text].join('\n');
  }
}
