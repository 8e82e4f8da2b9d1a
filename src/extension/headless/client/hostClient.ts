/* The way to the background host of the user: it is started where none runs. */

import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundOrder, type BackgroundReply, reply } from '../../../protocol/background.ts';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { tryParseJson } from '../../base/record.ts';
import { Channel } from './channel.ts';
import { type HostAddress, HostFolder } from './hostFolder.ts';

/** A host that comes up needs about a second; more where the machine is busy, or another host is just ending. */
const startMs = 30_000;
const pauseMs = 50;
/** One that found another about to end has gone; the next may find its place free. */
const againMs = 6000;

export class HostClient {
  readonly folder: HostFolder;
  private readonly entry: string;

  /** @param home absolute. @param entry the file of the program without a window */
  constructor(home: string, entry: string) {
    this.folder = new HostFolder(home);
    this.entry = entry;
  }

  /** Its record has the session, whether the host runs or was killed. */
  async holds(sessionId: string): Promise<boolean> {
    return (await this.folder.readRecord()).some(each => each.sessionId === sessionId);
  }

  /** Undefined when no host runs. A socket that nobody listens on is none. */
  async connect(order: BackgroundOrder): Promise<Connection | undefined> {
    const address = await this.folder.readAddress();
    const channel = address && (await connectTo(address));
    if (!channel) return undefined;
    channel.send({ token: address.token, order });
    return new Connection(channel);
  }

  /**
   * Starts a host where none runs. A host that closes without a reply was about to end, and the next one gets the
   * order. Throws when none answers.
   */
  async reach(order: BackgroundOrder): Promise<Connection> {
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
    throw new SpokenError(() => t('The background host does not start. {0} may say why.', this.folder.log));
  }

  /** It belongs to nobody: it goes on when this process ends. */
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
      // Nobody answers then, which the caller finds out.
      child.on('error', () => {});
      child.unref();
    } finally {
      await log.close();
    }
  }
}

/** A connection with one order. */
export class Connection {
  private readonly channel: Channel;
  private readonly lines: AsyncGenerator<string>;
  private first: Promise<IteratorResult<string>> | undefined;

  constructor(channel: Channel) {
    this.channel = channel;
    this.lines = channel.lines();
  }

  /** Aborts once the host is gone. */
  get closed(): AbortSignal {
    return this.channel.closed;
  }

  /** False when the host is gone without a word. */
  async isAnswered(): Promise<boolean> {
    this.first ??= this.lines.next();
    return !(await this.first).done;
  }

  /** Undefined once the host is gone. Throws a sentence for what it could not do. */
  async next(): Promise<BackgroundReply | undefined> {
    for (;;) {
      const { done, value } = await (this.first ?? this.lines.next());
      this.first = undefined;
      if (done) return undefined;
      const parsed = reply.safeParse(tryParseJson(value));
      // A later host may say more, which is nothing for this client.
      if (!parsed.success) continue;
      const { data } = parsed;
      if (data.type === 'failed') throw new SpokenError(() => data.message);
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
