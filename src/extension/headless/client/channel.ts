import type { Socket } from 'node:net';
import { readLines } from './readLines.ts';

/** One end of a connection between a client and the host. */
export class Channel {
  private readonly socket: Socket;
  /** Aborts once the other end is gone. */
  readonly closed: AbortSignal;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    const closed = new AbortController();
    this.closed = closed.signal;
    // A connection that breaks is one that has ended; `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => closed.abort());
  }

  send(message: object): void {
    this.sendLine(JSON.stringify(message));
  }

  /** Goes nowhere when the other end is gone. */
  sendLine(line: string): void {
    if (this.socket.writable) this.socket.write(`${line}\n`);
  }

  /** Whole lines, until the other end is gone. To be asked for once. */
  async *lines(): AsyncGenerator<string> {
    try {
      yield* readLines(this.socket as AsyncIterable<string>);
    } catch (error) {
      if (!this.closed.aborted && !this.socket.destroyed) throw error;
    }
  }

  /** Messages that were sent still arrive. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
