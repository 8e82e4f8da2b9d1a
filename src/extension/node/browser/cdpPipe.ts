/*
 * The Chrome DevTools Protocol over two pipes. No port is open to other programs, and the browser exits when the pipes
 * close, however this process ends.
 */

import type { Readable, Writable } from 'node:stream';
import { BrowserError } from '../../platform/browser/browser.ts';
import { CdpConnection, type CdpEvent } from './cdpConnection.ts';

/** Only a broken or hostile page makes the browser send more in one message. */
const maxMessageBytes = 64 * 1024 * 1024;

export class CdpPipe extends CdpConnection {
  protected readonly afterSilence = 'its browser was closed. Find out what keeps it busy.';
  private readonly output: Writable;
  private chunks: Buffer[] = [];
  private bytes = 0;

  /** @param onEnd called once, when nothing more can be sent */
  constructor(output: Writable, input: Readable, listener: (event: CdpEvent) => void, onEnd: () => void) {
    super(listener, onEnd);
    this.output = output;
    input.on('data', (chunk: Buffer) => this.take(chunk));
    for (const stream of [output, input]) {
      stream.on('error', error => this.end(error));
      stream.on('close', () => this.end(new BrowserError('The browser has ended.')));
    }
  }

  protected write(message: string): void {
    this.output.write(`${message}\0`);
  }

  protected destroy(): void {
    this.output.destroy();
  }

  private take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      this.chunks.push(chunk.subarray(from, at));
      const text = Buffer.concat(this.chunks).toString('utf8');
      [this.chunks, this.bytes, from] = [[], 0, at + 1];
      this.read(text);
    }
    const rest = chunk.subarray(from);
    this.chunks.push(rest);
    this.bytes += rest.length;
    if (this.bytes > maxMessageBytes) this.end(new BrowserError('The page is too large to be read.'));
  }
}
