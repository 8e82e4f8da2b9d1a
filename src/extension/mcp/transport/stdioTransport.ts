import {
  isSpecType,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { formatBytes, oneLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import { LineSplitter } from '../../platform/framing/lineSplitter.ts';
import { ServerLog } from '../../platform/framing/serverLog.ts';
import { describeServerExit, type ServerProcess } from '../../platform/serverProcesses.ts';
import { findMessageId, maxMessageBytes, refusedMessage } from './refusedMessage.ts';

const lastWordsMs = 300;

/**
 * Sends messages as lines to a process. The library's own transport neither ends whole process trees nor survives a
 * long message.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * From these members the library concludes that a silent server is an older program and not an unreachable network.
   */
  readonly stderr = undefined;
  readonly pid = undefined;
  private readonly process: ServerProcess;
  private readonly clock: Clock;
  private readonly log: (line: string) => void;
  private readonly lost: (reason: LocalizedMessage) => void;
  private readonly lines: LineSplitter;
  private readonly errors = new ServerLog();
  private closed: LocalizedMessage | undefined;
  private failed = false;

  /** @param lost called with the reason when a running process becomes unreachable */
  constructor(
    process: ServerProcess,
    clock: Clock,
    log: (line: string) => void,
    lost: (reason: LocalizedMessage) => void,
  ) {
    this.process = process;
    this.clock = clock;
    this.log = log;
    this.lost = lost;
    this.lines = new LineSplitter(maxMessageBytes, {
      line: bytes =>
        this.receiveLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
      tooLong: line => {
        const id = findMessageId(line);
        if (id !== undefined)
          this.onmessage?.(refusedMessage(id, { kind: 'tooLarge', bytes: line.bytes, isWhole: true }));
        log(`A message of ${formatBytes(line.bytes)} was left out.`);
      },
    });
    process.onDidRead(bytes => this.lines.add(bytes));
    process.onDidLog(line => {
      this.errors.add(line);
      log(line);
    });
  }

  /** Why it ended, as a user-facing message. */
  get reason(): LocalizedMessage | undefined {
    return this.closed;
  }

  /** The program or its folder does not exist. */
  get cannotStart(): boolean {
    return this.failed;
  }

  async start(): Promise<void> {
    void this.process.exit.then(exit => {
      this.failed = exit.failure !== undefined;
      this.closed ??= () => describeServerExit(exit, this.errors.reason);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // The pipe breaks before the process has ended, and its exit explains more.
      await Promise.race([this.process.exit, this.clock.sleep(lastWordsMs)]);
      if (this.closed === undefined) this.lost(() => t('It is running, but no longer reads its input.'));
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.process.stop();
  }

  private receiveLine(line: string): void {
    if (line.trim() === '') return;
    // Many servers print greetings between messages, some without a line break.
    const start = Math.max(0, line.search(/\[?\{/));
    const messages = findMessages(line.slice(start));
    const others = messages.length > 0 ? line.slice(0, start) : line;
    if (others.trim() !== '') this.log(`It printed what is no message: ${oneLine(others, 200)}`);
    for (const message of messages) this.receive(message);
  }

  private receive(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(new Error(messageOf(error)));
    }
  }
}

/** Normalises an error response in any form, because the call would otherwise wait for ever. */
function toMessage(given: unknown): JSONRPCMessage {
  const whole = isRecord(given) ? { jsonrpc: '2.0', ...given } : given;
  const isValid = isSpecType.JSONRPCMessage(whole);
  if (isValid || !isRecord(given) || !given.error) return parseJSONRPCMessage(whole);
  const { id, error } = given;
  const said = isRecord(error) ? (error.message ?? error) : error;
  const message = typeof said === 'string' ? said : JSON.stringify(said);
  return parseJSONRPCMessage({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
}

/** The protocol of March 2025 allows several messages in a list. */
function findMessages(text: string): readonly JSONRPCMessage[] {
  try {
    const given: unknown = JSON.parse(text);
    return (Array.isArray(given) ? given : [given]).map(toMessage);
  } catch {
    // Noise is no reason to stop the server.
    return [];
  }
}
