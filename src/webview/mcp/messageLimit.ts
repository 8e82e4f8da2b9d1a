/** Limits of messages from a page, so that it cannot slow down panel and host. */
const most = { characters: 1_000_000, inSecond: 200 };

export class MessageLimit {
  private readonly now: () => number;
  private since = 0;
  private count = 0;
  /** True after too many messages or one that is too long. */
  isOver = false;

  /** @param now current time in milliseconds */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Returns the message as JSON; `undefined` if a limit is exceeded. */
  pass(message: unknown): string | undefined {
    const now = this.now();
    if (now - this.since >= 1_000) {
      this.since = now;
      this.count = 0;
    }
    this.isOver ||= ++this.count > most.inSecond;
    if (this.isOver || typeof message !== 'object' || message === null) return undefined;
    const text = toText(message);
    this.isOver = text.length > most.characters;
    return this.isOver ? undefined : text;
  }
}

function toText(message: object): string {
  try {
    return JSON.stringify(message);
  } catch {
    // Cyclic data or big integers are no messages of the protocol.
    return '{}';
  }
}
