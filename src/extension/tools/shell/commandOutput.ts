/** Characters kept from the start and from the end of an output: together at most 4 million in memory. */
const headLimit = 1_000_000;
const tailLimit = 3_000_000;

export interface OutputLimits {
  readonly head: number;
  readonly tail: number;
}

/**
 * The output of a command that may never stop talking. The first million characters and the last three are kept;
 * what is lost between them is counted and said.
 */
export class CommandOutput {
  private readonly limits: OutputLimits;
  private head = '';
  /** Chunks after the head, oldest first. May exceed its limit by one chunk. */
  private tail: string[] = [];
  private tailLength = 0;
  private lost = 0;

  constructor(limits: OutputLimits = { head: headLimit, tail: tailLimit }) {
    this.limits = limits;
  }

  add(text: string): void {
    const room = this.limits.head - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    if (text.length > room) this.addTail(room > 0 ? text.slice(room) : text);
  }

  /** What is kept, with a line where something is missing. */
  read(): string {
    if (this.lost === 0) return this.head + this.tail.join('');
    const gap = `\n… ${this.lost} characters were not kept …\n`;
    return this.head + gap + this.tail.join('');
  }

  private addTail(text: string): void {
    const { tail: limit } = this.limits;
    const kept = text.length > limit ? text.slice(-limit) : text;
    this.lost += text.length - kept.length;
    this.tail.push(kept);
    this.tailLength += kept.length;
    let dropped = 0;
    while (this.tailLength - this.tail[dropped]!.length >= limit) {
      this.tailLength -= this.tail[dropped]!.length;
      this.lost += this.tail[dropped]!.length;
      dropped++;
    }
    // Cutting the list only now and then keeps a stream of tiny chunks linear.
    if (dropped > 0) this.tail.splice(0, dropped);
  }
}
