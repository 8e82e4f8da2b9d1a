/*
 * The DevTools protocol over two pipes: no port is open that other programs could use, and the browser ends when they
 * close, whichever way this process ends.
 */

import type { Readable, Writable } from 'node:stream';
import { BrowserError } from '../../platform/browser/browser.ts';

export interface CdpEvent {
  readonly method: string;
  readonly sessionId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own types are as many as its methods.
  readonly params: any;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A page that makes the browser send more at once is broken or hostile. */
const maxMessageBytes = 64 * 1024 * 1024;
const answerMs = 20_000;
const hanging = `The page did not answer within ${answerMs / 1000} s, so its browser was closed. Find out what keeps it busy.`;

export class CdpPipe {
  private readonly output: Writable;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listener: (event: CdpEvent) => void;
  private readonly onEnd: () => void;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private newest = 0;
  private ended: Error | undefined;
  /** An answer may take as long as it likes: the user decides when. */
  isPatient = false;

  /** @param onEnd hears once that nothing more can be sent */
  constructor(output: Writable, input: Readable, listener: (event: CdpEvent) => void, onEnd: () => void) {
    this.output = output;
    this.listener = listener;
    this.onEnd = onEnd;
    input.on('data', (chunk: Buffer) => this.take(chunk));
    for (const stream of [output, input]) {
      stream.on('error', error => this.end(error));
      stream.on('close', () => this.end(new BrowserError('The browser has ended.')));
    }
  }

  /** Rejects with a `BrowserError` when the browser refuses, ends or does not answer. */
  send<Result = unknown>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    if (this.ended) return Promise.reject(this.ended);
    const id = ++this.newest;
    return new Promise<Result>((resolve, reject) => {
      // Nothing more can be had of a page whose script never ends.
      const watch = () => setTimeout(check, answerMs);
      const check = () => {
        if (this.isPatient) late = watch();
        else this.end(new BrowserError(hanging));
      };
      let late = watch();
      const settle = (act: () => void) => {
        clearTimeout(late);
        this.waiting.delete(id);
        act();
      };
      this.waiting.set(id, {
        resolve: result => settle(() => resolve(result as Result)),
        reject: error => settle(() => reject(error)),
      });
      this.output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** @param error what all who wait, and who send from now on, are rejected with */
  end(error: Error): void {
    if (this.ended) return;
    this.ended = error;
    for (const each of [...this.waiting.values()]) each.reject(error);
    this.output.destroy();
    this.onEnd();
  }

  private take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      this.chunks.push(chunk.subarray(from, at));
      const text = Buffer.concat(this.chunks).toString('utf8');
      [this.chunks, this.bytes, from] = [[], 0, at + 1];
      this.read(JSON.parse(text));
    }
    const rest = chunk.subarray(from);
    this.chunks.push(rest);
    this.bytes += rest.length;
    if (this.bytes > maxMessageBytes) this.end(new BrowserError('The page is too large to be read.'));
  }

  private read(message: CdpEvent & { id?: number; result?: unknown; error?: { message: string } }): void {
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (message.id === undefined) this.listener(message);
    else if (message.error) waiting?.reject(new BrowserError(message.error.message));
    else waiting?.resolve(message.result);
  }
}
