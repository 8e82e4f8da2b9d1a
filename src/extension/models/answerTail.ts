/** The last bytes of an answer as the server sent it, for what a client library keeps to itself. */
export class AnswerTail {
  private readonly limit: number;
  /** Twice as long as what is kept, so that it is seldom moved. */
  private readonly bytes: Buffer;
  private used = 0;

  /** @param limit bytes that are kept at least, where there were as many */
  constructor(limit: number) {
    this.limit = limit;
    this.bytes = Buffer.alloc(2 * limit);
  }

  readonly add = (packet: Uint8Array): void => {
    const kept = packet.subarray(-this.limit);
    if (this.used + kept.length > this.bytes.length) {
      this.bytes.copyWithin(0, this.used - this.limit, this.used);
      this.used = this.limit;
    }
    this.bytes.set(kept, this.used);
    this.used += kept.length;
  };

  get text(): string {
    return this.bytes.toString('utf8', 0, this.used);
  }
}
