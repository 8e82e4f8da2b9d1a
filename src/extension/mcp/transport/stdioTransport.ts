import {
  isSpecType,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { type Saying, t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { formatBytes, oneLine } from '../../base/text.ts';
import type { Clock } from '../../platform/clock.ts';
import { LongLines } from '../../platform/framing/longLines.ts';
import { describeServerExit, type ServerProcess } from '../../platform/serverProcesses.ts';
import { findId, maxMessageBytes, refusedMessage } from './refusedMessage.ts';

const lastWordsMs = 300;

/**
 * Messages as lines of a process. The library's own transport neither ends whole process trees nor survives a long
 * message, so this one is Folio's.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** By these the library knows that a silent server is a program of older versions and not a network that is down. */
  readonly stderr = undefined;
  readonly pid = undefined;
  private readonly process: ServerProcess;
  private readonly clock: Clock;
  private readonly log: (line: string) => void;
  private readonly lost: (reason: Saying) => void;
  private readonly lines: LongLines;
  private newestLog = '';
  private closed: Saying | undefined;
  private failed = false;

  /** @param lost hears why a process that runs cannot be spoken to any more */
  constructor(
    process: ServerProcess,
    clock: Clock,
    log: (line: string) => void,
    lost: (reason: Saying) => void,
  ) {
    this.process = process;
    this.clock = clock;
    this.log = log;
    this.lost = lost;
    this.lines = new LongLines(maxMessageBytes, {
      line: bytes =>
        this.receiveLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
      tooLong: line => {
        const id = findId(line);
        if (id !== undefined)
          this.onmessage?.(refusedMessage(id, { kind: 'tooLarge', bytes: line.bytes, isWhole: true }));
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
  get reason(): Saying | undefined {
    return this.closed;
  }

  /** There is no such program, or no such folder. */
  get cannotStart(): boolean {
    return this.failed;
  }

  async start(): Promise<void> {
    void this.process.exit.then(exit => {
      this.failed = exit.failure !== undefined;
      this.closed ??= () => describeServerExit(exit, this.newestLog);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // A pipe breaks before the process has ended, and its end says more.
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
    // Many servers print greetings where only messages belong, some without a line of their own.
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

/**
 * An answer that says that a call failed is one, whatever it says it with: the call would wait for another without end.
 */
function toMessage(given: unknown): JSONRPCMessage {
  const whole = isRecord(given) ? { jsonrpc: '2.0', ...given } : given;
  const isValid = isSpecType.JSONRPCMessage(whole);
  if (isValid || !isRecord(given) || !given.error) return parseJSONRPCMessage(whole);
  const { id, error } = given;
  const said = isRecord(error) ? (error.message ?? error) : error;
  const message = typeof said === 'string' ? said : JSON.stringify(said);
  return parseJSONRPCMessage({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
}

/** The protocol of March 2025 has several in a list. */
function findMessages(text: string): readonly JSONRPCMessage[] {
  try {
    const given: unknown = JSON.parse(text);
    return (Array.isArray(given) ? given : [given]).map(toMessage);
  } catch {
    // No reason to give the server up.
    return [];
  }
}
