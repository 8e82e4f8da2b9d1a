/* The sessions of the background host as known to a window, across restarts of the host. */

import type { BackgroundSession, RunOrder } from '../../../../protocol/background.ts';
import { whenAborted } from '../../../base/abort.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../platform/log.ts';
import type { HostConnector } from './hostHandover.ts';

/** Maximal restarts of a repeatedly killed host during the life of a window. */
const maxRestarts = 5;

/** The connection to the host, and its record on disk. */
export type RecordedHostConnector = HostConnector & {
  /** Returns whether its record has the session, even if the host was killed. */
  holds(sessionId: string): Promise<boolean>;
};

export class BackgroundSessionList {
  private readonly host: RecordedHostConnector;
  private readonly env: () => Promise<RunOrder['env']>;
  private readonly folders: () => readonly string[];
  private readonly log: Log;
  private readonly changed = new Emitter<void>();
  private readonly restarted = new Emitter<void>();
  private restarts = 0;
  private following: Promise<void> | undefined;
  /** Aborts when the first list arrives. */
  private heard = new AbortController();
  /** Sessions of every workspace, as last reported; a new array each time. */
  known: readonly BackgroundSession[] = [];
  readonly onDidChange = this.changed.event;
  /** Fires when the host ended before its sessions, and another resumes them. */
  readonly onDidRestart = this.restarted.event;

  /**
   * @param env of this window, with its keys
   * @param folders of this window's workspace
   */
  constructor(
    host: RecordedHostConnector,
    env: () => Promise<RunOrder['env']>,
    folders: () => readonly string[],
    log: Log,
  ) {
    this.host = host;
    this.env = env;
    this.folders = folders;
    this.log = log;
  }

  /** Sessions of this workspace. */
  get sessions(): readonly BackgroundSession[] {
    const here = this.folders().join('\0');
    return this.known.filter(({ folders }) => folders.join('\0') === here);
  }

  /** Follows the host, and lets it resume sessions of a killed one. Never rejects. */
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

  /** Resolves with whether the host has the session, after resuming those of a killed host. Never rejects. */
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

  /** Resolves with whether the host ended before its sessions, so that another must resume them. */
  private async followHost(): Promise<boolean> {
    const connection = await this.host.connectOrStart({ type: 'watch' });
    for (let reply = await connection.next(); reply; reply = await connection.next()) {
      if (reply.type !== 'sessions') continue;
      this.set(reply.sessions);
      await this.resumeInterrupted();
      this.heard.abort();
    }
    // A host that has finished leaves an empty list.
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
