import { messageOf } from '../base/errors.ts';
import { maskSecrets } from '../base/maskSecrets.ts';
import type { Log } from '../platform/log.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Logs to standard error, one line per message, because standard output is for results. Masks secrets. */
export class ConsoleLog implements Log {
  private readonly level: LogLevel;
  private readonly write: (line: string) => void;

  constructor(level: LogLevel, write: (line: string) => void = line => process.stderr.write(line)) {
    this.level = level;
    this.write = write;
  }

  debug(message: string): void {
    this.print('debug', message);
  }

  info(message: string): void {
    this.print('info', message);
  }

  warn(message: string): void {
    this.print('warn', message);
  }

  error(message: string, cause?: unknown): void {
    this.print('error', cause === undefined ? message : `${message} (${this.causeOf(cause)})`);
  }

  private print(level: LogLevel, message: string): void {
    if (order.indexOf(level) < order.indexOf(this.level)) return;
    this.write(`${level}: ${maskSecrets(message)}\n`);
  }

  /** Shows the stack only at debug level. */
  private causeOf(cause: unknown): string {
    if (this.level === 'debug' && cause instanceof Error && cause.stack) return cause.stack;
    return messageOf(cause);
  }
}
