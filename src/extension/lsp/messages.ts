/*
 * Reads and writes messages of the Language Server Protocol. The library's reader buffers any length that a header
 * claims, and fails at an invalid header. This one limits its buffer, skips invalid data and resumes at the next
 * message.
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
import { FramedMessageParser } from '../platform/framing/framedMessageParser.ts';
import type { ServerProcess } from '../platform/serverProcesses.ts';

/** Limit of one message. The references of a name in a large project fit. */
export const maxMessageBytes = 32 * 1024 * 1024;
/** Error code of the response that replaces one that is too long. */
export const messageTooLongCode = -32_090;
/** A header takes a few dozen bytes. The rest is accidental output. */
const maxHeaderBytes = 64 * 1024;
/** Invalid messages after which the server counts as speaking another protocol. */
const maxUnread = 20;

export class ProcessReader extends AbstractMessageReader implements MessageReader {
  private readonly process: ServerProcess;
  private readonly log: (line: string) => void;
  private readonly giveUp: (reason: string) => void;
  private unread = 0;

  /** @param giveUp gets the reason why reading failed for good; may be called repeatedly */
  constructor(process: ServerProcess, log: (line: string) => void, giveUp: (reason: string) => void) {
    super();
    this.process = process;
    this.log = log;
    this.giveUp = giveUp;
  }

  listen(callback: DataCallback): Disposable {
    const limits = { header: maxHeaderBytes, message: maxMessageBytes };
    const deliver = (message: Message | undefined, text: string) =>
      message ? callback(message) : this.skip(text);
    const messages = new FramedMessageParser(limits, {
      message: bytes => {
        const text = bytes.toString('utf8');
        deliver(parseMessage(text), text);
      },
      tooLong: (head, length) => {
        const text = head.toString('utf8');
        deliver(refusal(text, length), text);
      },
      noHeader: (bytes, isEndless) => {
        if (isEndless) this.giveUp('It prints what is no message.');
        else this.skip(bytes.toString('latin1'));
      },
    });
    return this.process.onDidRead(bytes => messages.add(bytes));
  }

  private skip(text: string): void {
    this.log(`It printed what is no message: ${oneLine(text, 200)}`);
    this.unread++;
    if (this.unread > maxUnread) this.giveUp('It prints what is no message.');
  }
}

function parseMessage(text: string): Message | undefined {
  const message = tryParseJson(text);
  return isRecord(message) ? (message as unknown as Message) : undefined;
}

/** Makes the response that replaces one that is too long. Libraries write the id first. */
function refusal(start: string, length: number): ResponseMessage | undefined {
  const [, id] = /"id"\s*:\s*(\d+)/.exec(start) ?? [];
  if (id === undefined) return undefined;
  const message = `Its answer has ${formatBytes(length)}; at most ${formatBytes(maxMessageBytes)} are taken.`;
  return { jsonrpc: '2.0', id: Number(id), error: { code: messageTooLongCode, message } };
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
