/** Bounds what a page may send; the panel and the host stay quick whatever it does. */
const most = { characters: 1_000_000, inSecond: 200 };

export class MessageLimit {
  private readonly now: () => number;
  private since = 0;
  private count = 0;
  /** It sent too many messages, or one that is too long. */
  isOver = false;

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Gives the message as text; `undefined`: it is not to be taken. */
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
    // It holds itself, or numbers that JSON does not know: nothing that the protocol has.
    return '{}';
  }
}
