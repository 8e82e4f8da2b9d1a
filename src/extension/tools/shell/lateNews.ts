/* News of commands that run on after their calls: nobody waits for a result that could say them. */

/** Tells the person at once, and the model with what it next hears of a command of its session. */
export class LateNews {
  private readonly tell: (sentence: string) => void;
  private readonly untold: string[] = [];

  constructor(tell: (sentence: string) => void) {
    this.tell = tell;
  }

  add(sentence: string): void {
    this.untold.push(sentence);
    this.tell(sentence);
  }

  /** Puts what the model has not heard yet before a text for it. */
  before(text: string): string {
    return [...this.untold.splice(0), text].join('\n');
  }
}
