/* The sessions of the background host as a window knows them, from one host to the next. */

import type { BackgroundSession, RunOrder } from '../../../../protocol/background.ts';
import { whenAborted } from '../../../base/abort.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../platform/log.ts';
import type { Host } from './hostHandover.ts';

/** A host that is killed again and again is started no more than so often in the life of a window. */
const maxRestarts = 5;

/** The way to the host, and what it keeps on the disk. */
export type RecordingHost = Host & {
  /** Its record has the session, whether the host runs or was killed. */
  holds(sessionId: string): Promise<boolean>;
};

export class HostList {
  private readonly host: RecordingHost;
  private readonly env: () => Promise<RunOrder['env']>;
  private readonly folders: () => readonly string[];
  private readonly log: Log;
  private readonly changed = new Emitter<void>();
  private readonly restarted = new Emitter<void>();
  private restarts = 0;
  private following: Promise<void> | undefined;
  /** Aborts with the first list of what is followed. */
  private heard = new AbortController();
  /** Those of every workspace, as the host said last: another array each time. */
  known: readonly BackgroundSession[] = [];
  readonly onDidChange = this.changed.event;
  /** The host ended before its sessions, and another goes on with them. */
  readonly onDidRestart = this.restarted.event;

  /**
   * @param env of this window, with its keys
   * @param folders of this window's workspace
   */
  constructor(
    host: RecordingHost,
    env: () => Promise<RunOrder['env']>,
    folders: () => readonly string[],
    log: Log,
  ) {
    this.host = host;
    this.env = env;
    this.folders = folders;
    this.log = log;
  }

  /** Those of this workspace. */
  get sessions(): readonly BackgroundSession[] {
    const here = this.folders().join('\0');
    return this.known.filter(({ folders }) => folders.join('\0') === here);
  }

  /** Follows the host, and has it go on with what a killed one left. Never rejects. */
  follow(): Promise<void> {
    if (this.following) return this.following;
    this.heard = new AbortController();
    this.following = this.followHosts()
      .catch(error => this.log.error('The background host cannot be followed', error))
      .finally(() => {
        this.following = undefined;
        this.heard.abort();
      });
    return this.following;
  }

  /** Resolves with whether the host has the session, once those of a killed one go on. Never rejects. */
  async holds(sessionId: string): Promise<boolean> {
    try {
      if (!(await this.host.holds(sessionId))) return false;
    } catch (error) {
      this.log.error('The record of the background host cannot be read', error);
      return false;
    }
    void this.follow();
    await whenAborted(this.heard.signal);
    return this.known.some(each => each.sessionId === sessionId);
  }

  private async followHosts(): Promise<void> {
    while (await this.followHost()) this.restarted.fire();
  }

  /** Resolves with whether the host ended before its sessions, and another is to go on with them. */
  private async followHost(): Promise<boolean> {
    const connection = await this.host.reach({ type: 'watch' });
    for (let reply = await connection.next(); reply; reply = await connection.next()) {
      if (reply.type !== 'sessions') continue;
      this.set(reply.sessions);
      await this.resumeInterrupted();
      this.heard.abort();
    }
    // A host that has done its work leaves an empty list.
    if (this.known.length > 0 && this.restarts++ < maxRestarts) return true;
    this.set([]);
    return false;
  }

  private set(sessions: readonly BackgroundSession[]): void {
    this.known = sessions;
    this.changed.fire();
  }

  private async resumeInterrupted(): Promise<void> {
    const interrupted = this.sessions.filter(({ status }) => status === 'interrupted');
    for (const { sessionId } of interrupted) {
      const order = { type: 'resume', sessionId, env: await this.env() } as const;
      const connection = await this.host.connect(order);
      // Another window may have been faster.
      await connection?.next().catch(error => this.log.info(`Not resumed in the background: ${error}`));
      connection?.close();
    }
  }
}
