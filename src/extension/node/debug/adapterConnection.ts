/* Sends and receives messages of the Debug Adapter Protocol over one process: a header with the length, then JSON. */

import { fieldsOf, isRecord, textOrEmpty, tryParseJson } from '../../base/record.ts';
import { oneLine } from '../../base/text.ts';
import { asNumber } from '../../platform/debug/adapterMessages.ts';
import { DebugError } from '../../platform/debug/debugger.ts';
import { FramedMessageParser } from '../../platform/framing/framedMessageParser.ts';
import { ServerLog } from '../../platform/framing/serverLog.ts';
import { describeServerExit, type ServerProcess } from '../../platform/serverProcesses.ts';

type Body = Readonly<Record<string, unknown>>;

/** No valid message is longer. */
const limits = { header: 8 * 1024, message: 64 * 1024 * 1024 };

export class AdapterConnection {
  /** Resolves when the process has ended. Never rejects. */
  readonly ended: Promise<void>;
  private readonly process: ServerProcess;
  private readonly hear: (event: string, body: unknown) => void;
  private readonly waiting = new Map<number, { resolve(body: Body): void; reject(error: Error): void }>();
  private readonly errors = new ServerLog();
  private whyEnded: DebugError | undefined;
  private seq = 0;

  constructor(process: ServerProcess, hear: (event: string, body: unknown) => void) {
    this.process = process;
    this.hear = hear;
    const refuse = () => {
      this.end(new DebugError('What it prints is not the debug adapter protocol.'));
      void this.process.stop();
    };
    const messages = new FramedMessageParser(limits, {
      message: bytes => {
        const message = tryParseJson(bytes.toString('utf8'));
        if (isRecord(message)) this.take(message);
      },
      tooLong: refuse,
      noHeader: refuse,
    });
    process.onDidRead(bytes => {
      if (this.whyEnded === undefined) messages.add(bytes);
    });
    process.onDidLog(line => {
      this.errors.add(line);
    });
    this.ended = process.exit.then(exit =>
      this.end(new DebugError(describeServerExit(exit, ''), oneLine(this.errors.reason, 300))),
    );
  }

  /** Rejects with a `DebugError` if the adapter refuses or has ended. */
  request(command: string, args: object): Promise<Body> {
    if (this.whyEnded !== undefined) return Promise.reject(this.whyEnded);
    const seq = ++this.seq;
    return new Promise<Body>((resolve, reject) => {
      this.waiting.set(seq, { resolve, reject });
      this.send({ seq, type: 'request', command, arguments: args });
    });
  }

  private send(message: object): void {
    const text = JSON.stringify(message);
    this.process.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).catch(() => {
      // The pipe broke. The end of the process, which follows, rejects pending requests.
    });
  }

  private take(message: Body): void {
    switch (message.type) {
      case 'event':
        this.hear(textOrEmpty(message.event), message.body);
        return;
      case 'request':
        // Folio offers neither terminals nor further sessions.
        this.refuse(message);
        return;
      case 'response':
        this.settle(message);
    }
  }

  private refuse({ seq, command }: Body): void {
    const answer = { type: 'response', request_seq: seq, command, success: false, message: 'notSupported' };
    this.send({ seq: ++this.seq, ...answer });
  }

  private settle({ request_seq, success, message, body, command }: Body): void {
    const seq = asNumber(request_seq) ?? 0;
    const waiting = this.waiting.get(seq);
    this.waiting.delete(seq);
    if (success === true) {
      waiting?.resolve(fieldsOf(body));
      return;
    }
    const said = textOrEmpty(fieldsOf(fieldsOf(body).error).format) || textOrEmpty(message);
    waiting?.reject(new DebugError(`The debugger refused ${textOrEmpty(command)}.`, oneLine(said, 300)));
  }

  private end(why: DebugError): void {
    this.whyEnded ??= why;
    for (const { reject } of this.waiting.values()) reject(this.whyEnded);
    this.waiting.clear();
  }
}
