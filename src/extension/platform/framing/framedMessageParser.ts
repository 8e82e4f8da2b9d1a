/*
 * Splits a byte stream into messages with a length header, as language servers and debug adapters write them:
 *
 *   Content-Length: 17\r\n\r\n{"jsonrpc":"2.0"}
 *
 * Reads each byte once and copies it at most once, however the stream is chunked. Buffers no more than the limits
 * allow.
 */

interface FrameLimits {
  /** Bytes before a message. */
  readonly header: number;
  /** Bytes of one message. */
  readonly message: number;
}

interface FrameTakers {
  readonly message: (bytes: Buffer) => void;
  /** The message exceeds the limit and is skipped. `head`: its first bytes, which include its id. */
  readonly tooLong: (head: Buffer, length: number) => void;
  /** Bytes where a header was expected, without a length. `isEndless`: they exceed the limit of a header. */
  readonly noHeader: (bytes: Buffer, isEndless: boolean) => void;
}

const headBytes = 200;
const headerEnd = [13, 10, 13, 10];

export class FramedMessageParser {
  private readonly limits: FrameLimits;
  private readonly take: FrameTakers;
  private chunks: Uint8Array[] = [];
  private held = 0;
  /** Number of matched bytes of the header's end. */
  private matched = 0;
  /** Bytes of the message still to come, and how many of them to keep; absent while reading a header. */
  private body: { left: number; wanted: number; readonly length: number } | undefined;

  constructor(limits: FrameLimits, take: FrameTakers) {
    this.limits = limits;
    this.take = take;
  }

  add(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) {
      const count = this.body ? this.addToBody(this.body, rest) : this.addToHeader(rest);
      rest = rest.subarray(count);
    }
  }

  /** Returns how many of the bytes belong to the header. */
  private addToHeader(bytes: Uint8Array): number {
    let count = 0;
    while (count < bytes.length && this.matched < headerEnd.length) {
      const byte = bytes[count++];
      if (byte === headerEnd[this.matched]) this.matched++;
      else this.matched = byte === headerEnd[0] ? 1 : 0;
    }
    this.hold(bytes.subarray(0, count));
    if (this.matched === headerEnd.length) {
      this.matched = 0;
      this.begin(this.release());
    } else if (this.held > this.limits.header) this.take.noHeader(this.release(), true);
    return count;
  }

  private begin(header: Buffer): void {
    // Stray output may precede the header on the same line.
    const [, digits] = /content-length:[ \t]*(\d{1,15})[ \t]*\r\n/i.exec(header.toString('latin1')) ?? [];
    if (digits === undefined) {
      this.take.noHeader(header.subarray(0, -headerEnd.length), false);
      return;
    }
    const length = Number(digits);
    this.body = { left: length, wanted: length > this.limits.message ? headBytes : length, length };
    if (length === 0) this.end();
  }

  /** Returns how many of the bytes belong to the message. */
  private addToBody(body: NonNullable<FramedMessageParser['body']>, bytes: Uint8Array): number {
    const part = bytes.subarray(0, body.left);
    const isLong = body.length > this.limits.message;
    // Copied, so that the first bytes do not retain the whole chunk.
    const wanted = isLong ? Uint8Array.from(part.subarray(0, body.wanted)) : part;
    if (wanted.length > 0) this.hold(wanted);
    body.left -= part.length;
    body.wanted -= wanted.length;
    if (isLong && body.wanted === 0 && this.held > 0) this.take.tooLong(this.release(), body.length);
    if (body.left === 0) this.end();
    return part.length;
  }

  private end(): void {
    const isLong = this.body!.length > this.limits.message;
    this.body = undefined;
    if (!isLong) this.take.message(this.release());
  }

  private hold(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.held += bytes.length;
  }

  private release(): Buffer {
    const { chunks } = this;
    this.chunks = [];
    this.held = 0;
    const [only] = chunks;
    if (!only || chunks.length > 1) return Buffer.concat(chunks);
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  }
}
