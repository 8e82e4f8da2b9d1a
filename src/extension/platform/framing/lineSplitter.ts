/* Splits bytes into lines in bounded memory. Reports only the edges of a line that is too long. */

export interface LongLine {
  readonly bytes: number;
  /** The first and the last few characters. */
  readonly head: string;
  readonly tail: string;
}

interface LineTakers {
  /** Without its line break. */
  readonly line: (bytes: Uint8Array) => void;
  readonly tooLong: (line: LongLine) => void;
}

const edge = 300;

export class LineSplitter {
  private readonly limit: number;
  private readonly take: LineTakers;
  private chunks: Uint8Array[] = [];
  private length = 0;
  private head: Uint8Array = new Uint8Array();
  private tail: Uint8Array = new Uint8Array();

  constructor(limit: number, take: LineTakers) {
    this.limit = limit;
    this.take = take;
  }

  add(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      this.keep(bytes.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.keep(bytes.subarray(from));
  }

  /** Treats a rest without line break as a line. */
  finish(): void {
    if (this.length > 0) this.end();
  }

  private keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.length <= this.limit) this.chunks.push(bytes);
    this.length += bytes.length;
    if (this.length <= this.limit) return;
    if (this.chunks.length > 0) {
      this.head = Buffer.concat(this.chunks, edge);
      // Copied, so that the edge does not retain the whole line.
      this.tail = Buffer.from(Buffer.concat(this.chunks.slice(-2)).subarray(-edge));
      this.chunks = [];
      return;
    }
    this.tail = Buffer.from(Buffer.concat([this.tail, bytes.subarray(-edge)]).subarray(-edge));
  }

  private end(): void {
    const { length, head, tail, chunks } = this;
    this.length = 0;
    this.chunks = [];
    if (length <= this.limit) this.take.line(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    else this.take.tooLong({ bytes: length, head: textOf(head), tail: textOf(tail) });
  }
}

export function excerptLongLine(bytes: Uint8Array): LongLine {
  const { length } = bytes;
  return { bytes: length, head: textOf(bytes.subarray(0, edge)), tail: textOf(bytes.subarray(-edge)) };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
