/** Beginning and end of a text that may never stop, with a line that says how much is left out between them. */
export class EndsOfText {
  private readonly headLimit: number;
  private readonly tailLimit: number;
  private head = '';
  private tail = '';
  private lost = 0;

  /** @param limit characters of both together */
  constructor(limit: number) {
    this.headLimit = Math.floor(limit / 5);
    this.tailLimit = Math.max(1, limit - this.headLimit);
  }

  add(text: string): void {
    const room = this.headLimit - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    this.tail += text.slice(Math.max(0, room));
    // Cutting only now and then keeps many small pieces cheap.
    if (this.tail.length > this.tailLimit * 2) this.cut();
  }

  read(): string {
    this.cut();
    const gap = this.lost === 0 ? '' : `\n… ${this.lost} characters left out …\n`;
    return this.head + gap + this.tail;
  }

  private cut(): void {
    const over = this.tail.length - this.tailLimit;
    if (over <= 0) return;
    this.tail = this.tail.slice(over);
    this.lost += over;
  }
}
