/* Connects to the user's background host, and starts it if none runs. */

import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundOrder, type BackgroundReply, replySchema } from '../../../protocol/background.ts';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { Channel } from './channel.ts';
import { type HostAddress, HostFolder } from './hostFolder.ts';

/** A host starts in about a second, or slower on a busy machine or while another host ends. */
const startMs = 30_000;
const pauseMs = 50;
/** Time after which to start a host again: it exits if it finds another that is about to end. */
const againMs = 6000;

export class HostClient {
  readonly folder: HostFolder;
  private readonly entry: string;

  /** @param home absolute path. @param entry file of the headless program */
  constructor(home: string, entry: string) {
    this.folder = new HostFolder(home);
    this.entry = entry;
  }

  /** True if the record lists the session, whether the host runs or was killed. */
  async holds(sessionId: string): Promise<boolean> {
    return (await this.folder.readRecord()).some(each => each.sessionId === sessionId);
  }

  /** Resolves to `undefined` if no host runs. A socket without a listener counts as none. */
  async connect(order: BackgroundOrder): Promise<HostRequestConnection | undefined> {
    const address = await this.folder.readAddress();
    const channel = address && (await connectTo(address));
    if (!channel) return undefined;
    channel.send({ token: address.token, order });
    return new HostRequestConnection(channel);
  }

  /**
   * Starts a host if none runs. If a host closes without a reply, it was about to end, and the next one gets the order.
   * Throws if none answers.
   */
  async connectOrStart(order: BackgroundOrder): Promise<HostRequestConnection> {
    const until = performance.now() + startMs;
    let startsAt = 0;
    while (performance.now() < until) {
      const connection = await this.connect(order);
      if (await connection?.isAnswered()) return connection!;
      if (performance.now() >= startsAt) {
        await this.start();
        startsAt = performance.now() + againMs;
      }
      await sleep(pauseMs);
    }
    throw new LocalizedError(() =>
      t('The background host does not start. {0} may say why.', this.folder.log),
    );
  }

  /** The host is detached, so it outlives this process. */
  private async start(): Promise<void> {
    await this.folder.prepare();
    const log = await open(this.folder.log, 'w', 0o600);
    try {
      const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
      const child = spawn(process.execPath, [this.entry, '--background-host'], {
        cwd: this.folder.path,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        env,
        windowsHide: true,
      });
      // No host answers then, which the caller detects.
      child.on('error', () => {});
      child.unref();
    } finally {
      await log.close();
    }
  }
}

/** A connection with one order. */
export class HostRequestConnection {
  private readonly channel: Channel;
  private readonly lines: AsyncGenerator<string>;
  private first: Promise<IteratorResult<string>> | undefined;

  constructor(channel: Channel) {
    this.channel = channel;
    this.lines = channel.lines();
  }

  /** Aborts when the host is gone. */
  get closed(): AbortSignal {
    return this.channel.closed;
  }

  /** Resolves to false if the host is gone without a reply. */
  async isAnswered(): Promise<boolean> {
    this.first ??= this.lines.next();
    return !(await this.first).done;
  }

  /** Resolves to `undefined` when the host is gone. Throws a user-facing message if the order failed. */
  async next(): Promise<BackgroundReply | undefined> {
    for (;;) {
      const { done, value } = await (this.first ?? this.lines.next());
      this.first = undefined;
      if (done) return undefined;
      const parsed = replySchema.safeParse(tryParseJson(value));
      // Ignores messages of newer hosts.
      if (!parsed.success) continue;
      const { data } = parsed;
      if (data.type === 'failed') throw new LocalizedError(() => data.message);
      return data;
    }
  }

  sendLine(line: string): void {
    this.channel.sendLine(line);
  }

  close(): void {
    this.channel.destroy();
  }
}

function connectTo({ socket }: HostAddress): Promise<Channel | undefined> {
  return new Promise(resolve => {
    const made = connect(socket);
    made.once('connect', () => resolve(new Channel(made)));
    made.once('error', () => resolve(undefined));
  });
}
