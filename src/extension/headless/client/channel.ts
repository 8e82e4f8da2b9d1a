import type { Socket } from 'node:net';
import { readLines } from './readLines.ts';

/** One end of a connection between a client and the host. */
export class Channel {
  private readonly socket: Socket;
  /** Aborts when the other end has disconnected. */
  readonly closed: AbortSignal;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    const closed = new AbortController();
    this.closed = closed.signal;
    // A broken connection counts as ended; `close` follows.
    socket.on('error', () => {});
    socket.once('close', () => closed.abort());
  }

  send(message: object): void {
    this.sendLine(JSON.stringify(message));
  }

  /** Does nothing after the other end has disconnected. */
  sendLine(line: string): void {
    if (this.socket.writable) this.socket.write(`${line}\n`);
  }

  /** Yields whole lines until the other end disconnects. Call it once. */
  async *lines(): AsyncGenerator<string> {
    try {
      yield* readLines(this.socket as AsyncIterable<string>);
    } catch (error) {
      if (!this.closed.aborted && !this.socket.destroyed) throw error;
    }
  }

  /** Sent messages still arrive. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }
}
