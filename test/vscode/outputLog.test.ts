import { expect, test } from 'vitest';
import type { LogOutputChannel } from 'vscode';
import { ConsoleLog } from '../../src/extension/node/consoleLog.ts';
import type { Log } from '../../src/extension/platform/log.ts';
import { OutputLog } from '../../src/extension/vscode/ports/outputLog.ts';
import { secrets } from '../support/secrets.ts';

/** Both logs, each with a place to which it writes. */
const logs: Readonly<Record<string, (write: (text: string) => void) => Log>> = {
  'the output channel': write => {
    const print = (...parts: readonly unknown[]) => write(parts.map(String).join(' '));
    const channel: Partial<LogOutputChannel> = { debug: print, info: print, warn: print, error: print };
    return new OutputLog(channel as LogOutputChannel);
  },
  'standard error': write => new ConsoleLog('debug', write),
};

for (const [name, make] of Object.entries(logs)) {
  test.each(Object.entries(secrets))(`${name} gets no secret: %s`, (_name, { text, hidden }) => {
    const lines: string[] = [];
    const log = make(line => lines.push(line));
    log.debug(`debug ${text}`);
    log.info(`info ${text}`);
    log.warn(`warn ${text}`);
    log.error(`error ${text}`);
    log.error('with a cause', new Error(`cause ${text}`));
    log.error('with another cause', `text ${text}`);
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).toContain('[masked]');
    expect(lines.join('')).not.toContain(hidden);
  });
}
