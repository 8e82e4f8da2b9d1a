import type { LogOutputChannel } from 'vscode';
import { maskSecrets } from '../../base/maskSecrets.ts';
import type { Log } from '../../platform/log.ts';

/**
 * The log in VS Code's Output view, which adds levels and times. VS Code stores it as a file, so secrets are masked.
 */
export class OutputLog implements Log {
  private readonly channel: LogOutputChannel;

  constructor(channel: LogOutputChannel) {
    this.channel = channel;
  }

  debug(message: string): void {
    this.channel.debug(maskSecrets(message));
  }

  info(message: string): void {
    this.channel.info(maskSecrets(message));
  }

  warn(message: string): void {
    this.channel.warn(maskSecrets(message));
  }

  error(message: string, cause?: unknown): void {
    const what = maskSecrets(message);
    if (cause === undefined) this.channel.error(what);
    else this.channel.error(what, maskSecrets(describe(cause)));
  }

  show(): void {
    this.channel.show();
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
