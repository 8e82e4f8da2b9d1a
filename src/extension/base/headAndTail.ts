import { headOf, tailOf } from './text.ts';

/** Characters to keep. */
interface Limits {
  readonly head: number;
  readonly tail: number;
}

/** Keeps the head and the tail of a text that arrives in chunks. Counts the characters dropped between them. */
export class HeadAndTail {
  private readonly limits: Limits;
  private readonly gap: (count: number) => string;
  private head = '';
  private tail = '';
  private dropped = 0;

  /** @param gap builds the text between head and tail from the number of dropped characters */
  constructor(limits: Limits = { head: 1_000_000, tail: 3_000_000 }, gap = notKept) {
    this.limits = limits;
    this.gap = gap;
  }

  append(piece: string): void {
    // A surrogate pair that did not fit leaves room in the head. Later text must not fill it.
    const isHeadOpen = this.tail === '' && this.dropped === 0;
    const toHead = isHeadOpen ? headOf(piece, this.limits.head - this.head.length) : '';
    this.head += toHead;
    this.tail += piece.slice(toHead.length);
    // Cut rarely, so that a flood of small chunks is not copied each time.
    if (this.tail.length > 2 * this.limits.tail) this.cut();
  }

  get text(): string {
    if (this.head.length + this.tail.length > this.limits.head + this.limits.tail) this.cut();
    if (this.dropped === 0) return this.head + this.tail;
    return this.head + this.gap(this.dropped) + this.tail;
  }

  private cut(): void {
    const kept = tailOf(this.tail, this.limits.tail);
    this.dropped += this.tail.length - kept.length;
    this.tail = kept;
  }
}

function notKept(count: number): string {
  return `\n… ${count} characters were not kept …\n`;
}
