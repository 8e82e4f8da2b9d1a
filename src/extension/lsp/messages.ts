/*
 * Messages of the Language Server Protocol as bytes of a process:
 *
 *   Content-Length: 17\r\n\r\n{"jsonrpc":"2.0"}
 *
 * The library's own reader holds whatever length a header claims and gives up at the first header that it does not
 * know. This one bounds what it holds, skips what is no message and finds the next one.
 */

import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
  type ResponseMessage,
} from 'vscode-jsonrpc/node';
import { isRecord, tryParseJson } from '../base/record.ts';
import { formatBytes, oneLine } from '../base/text.ts';
import type { ServerProcess } from '../platform/serverProcesses.ts';

/** Limit of one message: references of a name in a large project fit. */
export const maxMessageBytes = 32 * 1024 * 1024;
/** The code of an answer in the place of one that is too long. */
export const tooLong = -32_090;
/** A header takes a few dozen bytes; the rest is what a server prints by mistake. */
const maxHeaderBytes = 64 * 1024;
/** Messages that cannot be read; a server with more speaks something else. */
const maxUnread = 20;
/** Bytes of a message that is too long, among which its id stands. */
const edge = 200;

interface Body {
  left: number;
  readonly length: number;
  readonly chunks: Uint8Array[];
}

export class ProcessReader extends AbstractMessageReader implements MessageReader {
  private readonly process: ServerProcess;
  private readonly log: (line: string) => void;
  private readonly giveUp: (reason: string) => void;
  private callback: DataCallback = () => {};
  private header: Buffer = Buffer.alloc(0);
  private body: Body | undefined;
  private unread = 0;

  /** @param giveUp hears why nothing more can be understood, once or several times */
  constructor(process: ServerProcess, log: (line: string) => void, giveUp: (reason: string) => void) {
    super();
    this.process = process;
    this.log = log;
    this.giveUp = giveUp;
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    return this.process.onDidRead(bytes => this.add(bytes));
  }

  private add(bytes: Uint8Array): void {
    let rest = bytes;
    while (rest.length > 0) rest = this.body ? this.readBody(this.body, rest) : this.readHeader(rest);
  }

  private readHeader(bytes: Uint8Array): Uint8Array {
    const header = Buffer.concat([this.header, bytes]);
    const end = header.indexOf('\r\n\r\n');
    if (end < 0) {
      this.header = header.subarray(-maxHeaderBytes);
      if (header.length > maxHeaderBytes) this.giveUp('It prints what is no message.');
      return nothing;
    }
    this.header = Buffer.alloc(0);
    const text = header.toString('latin1', 0, end);
    // Something that was printed before by mistake may stand on the same line.
    const [, length] = /content-length: *(\d{1,15}) *(?:\r\n|$)/i.exec(text) ?? [];
    if (length === undefined) this.skip(text);
    else this.begin(Number(length));
    return header.subarray(end + 4);
  }

  private begin(length: number): void {
    const body = { length, left: length, chunks: [] };
    this.body = body;
    if (length === 0) this.end(body);
  }

  private readBody(body: Body, bytes: Uint8Array): Uint8Array {
    const part = bytes.subarray(0, body.left);
    body.left -= part.length;
    if (body.length <= maxMessageBytes) body.chunks.push(part);
    else if (body.chunks.length === 0) body.chunks.push(Uint8Array.from(part.subarray(0, edge)));
    if (body.left === 0) this.end(body);
    return bytes.subarray(part.length);
  }

  private end({ length, chunks }: Body): void {
    this.body = undefined;
    const text = Buffer.concat(chunks).toString('utf8');
    const message = length > maxMessageBytes ? refusal(text, length) : parseMessage(text);
    if (message) this.callback(message);
    else this.skip(text);
  }

  private skip(text: string): void {
    this.log(`It printed what is no message: ${oneLine(text, 200)}`);
    this.unread++;
    if (this.unread > maxUnread) this.giveUp('It prints what is no message.');
  }
}

const nothing = new Uint8Array();

function parseMessage(text: string): Message | undefined {
  const message = tryParseJson(text);
  return isRecord(message) ? (message as unknown as Message) : undefined;
}

/** The answer in the place of one that is too long. Libraries write the id first. */
function refusal(start: string, length: number): ResponseMessage | undefined {
  const [, id] = /"id"\s*:\s*(\d+)/.exec(start) ?? [];
  if (id === undefined) return undefined;
  const message = `Its answer has ${formatBytes(length)}; at most ${formatBytes(maxMessageBytes)} are taken.`;
  return { jsonrpc: '2.0', id: Number(id), error: { code: tooLong, message } };
}

export class ProcessWriter extends AbstractMessageWriter implements MessageWriter {
  private readonly process: ServerProcess;

  constructor(process: ServerProcess) {
    super();
    this.process = process;
  }

  async write(message: Message): Promise<void> {
    const text = JSON.stringify(message);
    await this.process.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  end(): void {}
}
