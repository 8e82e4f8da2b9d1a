import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../../base/errors.ts';
import { formatBytes, oneLine } from '../../base/text.ts';
import type { McpExit, McpProcess } from '../../platform/mcp.ts';
import { LongLines } from './longLines.ts';
import { findId, mostMessageBytes, refusedMessage, tooLarge } from './refusedMessage.ts';

/**
 * Messages as lines of a process. The library's own transport neither ends whole process trees nor survives a long
 * message, so this one is Folio's.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly process: McpProcess;
  private readonly log: (line: string) => void;
  private readonly lines: LongLines;
  private newestLog = '';
  private closed: string | undefined;
  private failed = false;

  constructor(process: McpProcess, log: (line: string) => void) {
    this.process = process;
    this.log = log;
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
    await this.process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.process.stop();
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      // Many servers print greetings where only messages belong; that alone is no reason to give them up.
      this.log(`It printed what is no message: ${oneLine(line, 200)}`);
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(new Error(messageOf(error)));
    }
  }
}

function describeExit({ code, signal, failure }: McpExit, newestLog: string): string {
  if (failure) return failure;
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  return newestLog ? `Its process ${how}: ${oneLine(newestLog, 300)}` : `Its process ${how}.`;
}
