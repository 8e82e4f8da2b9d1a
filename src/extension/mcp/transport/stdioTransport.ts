import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../base/errors.ts';
import { formatBytes, oneLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import type { McpExit, McpProcess } from '../../platform/mcp.ts';
import { LongLines } from './longLines.ts';
import { findId, mostMessageBytes, refusedMessage, tooLarge } from './refusedMessage.ts';

export interface StdioParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** It runs, and cannot be spoken to any more. */
  readonly lost: (reason: string) => void;
}

const lastWordsMs = 300;

/**
 * Messages as lines of a process. The library's own transport neither ends whole process trees nor survives a long
 * message, so this one is Folio's.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly process: McpProcess;
  private readonly parts: StdioParts;
  private readonly lines: LongLines;
  private newestLog = '';
  private closed: string | undefined;
  private failed = false;

  constructor(process: McpProcess, parts: StdioParts) {
    const { log } = parts;
    this.process = process;
    this.parts = parts;
    this.lines = new LongLines(mostMessageBytes, {
      line: bytes =>
        this.take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
      tooLong: line => {
        const id = findId(line);
        if (id !== undefined) this.onmessage?.(refusedMessage(id, tooLarge(line.bytes)));
        log(`A message of ${formatBytes(line.bytes)} was left out.`);
      },
    });
    process.onDidRead(bytes => this.lines.add(bytes));
    process.onDidLog(line => {
      this.newestLog = line;
      log(line);
    });
  }

  /** Why it is over, a sentence. */
  get reason(): string | undefined {
    return this.closed;
  }

  /** There is no such program, or no such folder. */
  get cannotStart(): boolean {
    return this.failed;
  }

  async start(): Promise<void> {
    void this.process.exit.then(exit => {
      this.failed = exit.failure !== undefined;
      this.closed ??= describeExit(exit, this.newestLog);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // A pipe breaks before the process has ended, and its end says more.
      await Promise.race([this.process.exit, this.parts.clock.sleep(lastWordsMs)]);
      if (this.closed === undefined) this.parts.lost('It runs, but does not read any more what it is sent.');
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.process.stop();
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    // Many servers print greetings where only messages belong, some without a line of their own.
    const start = Math.max(0, line.indexOf('{'));
    const message = findMessage(line.slice(start));
    const others = message ? line.slice(0, start) : line;
    if (others.trim() !== '') this.parts.log(`It printed what is no message: ${oneLine(others, 200)}`);
    if (!message) return;
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(new Error(messageOf(error)));
    }
  }
}

function findMessage(text: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.parse(JSON.parse(text));
  } catch {
    // Neither is a reason to give the server up.
    return undefined;
  }
}

function describeExit({ code, signal, failure }: McpExit, newestLog: string): string {
  if (failure) return failure;
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  return newestLog ? `Its process ${how}: ${oneLine(newestLog, 300)}` : `Its process ${how}.`;
}
