import type { LogOutputChannel } from 'vscode';
import type { Log } from '../../platform/log.ts';

/** The log in VS Code's Output view, which has levels and times of its own. */
export class OutputLog implements Log {
  private readonly channel: LogOutputChannel;

  constructor(channel: LogOutputChannel) {
    this.channel = channel;
  }

  debug(message: string): void {
    this.channel.debug(message);
  }

  info(message: string): void {
    this.channel.info(message);
  }

  warn(message: string): void {
    this.channel.warn(message);
  }

  error(message: string, cause?: unknown): void {
    if (cause === undefined) this.channel.error(message);
    else this.channel.error(message, cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }

  show(): void {
    this.channel.show();
  }
}
