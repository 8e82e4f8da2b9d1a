/* Lets pages follow sessions of the background host, across restarts of the host. */

import type { BackgroundSession } from '../../../../protocol/background.ts';
import type { Event } from '../../../base/emitter.ts';
import type { HostConnector } from './hostHandover.ts';
import type { WatchEnd, WatchedSession } from './watchedSession.ts';

/** The sessions as last reported; a new array each time. */
interface SessionList {
  readonly known: readonly BackgroundSession[];
  readonly onDidChange: Event<void>;
}

/** Reports that a session continues but cannot be shown. Resolves with whether to retry. */
type OfferRetry = (watched: WatchedSession) => Promise<boolean>;

export class BackgroundSessionWatcher {
  private readonly host: Pick<HostConnector, 'connect'>;
  private readonly list: SessionList;
  private readonly offerRetry: OfferRetry;
  /** Sessions whose connection broke before. */
  private readonly broken = new WeakSet<WatchedSession>();

  constructor(host: Pick<HostConnector, 'connect'>, list: SessionList, offerRetry: OfferRetry) {
    this.host = host;
    this.list = list;
    this.offerRetry = offerRetry;
  }

  /** Shows a session while it runs, even in the next host. Returns false if it does not run there. */
  async watch(watched: WatchedSession): Promise<boolean> {
    const connection = await this.host.connect({ type: 'attach', sessionId: watched.id });
    if (!connection) return false;
    return await new Promise(resolve => {
      let isShown = false;
      const following = watched.follow(connection, () => {
        isShown = true;
        resolve(true);
      });
      void following.then(end => {
        resolve(false);
        if (isShown) void this.goOn(watched, end);
      });
    });
  }

  /** Reconnects once automatically, since a connection may end alone. A second failure needs the user. */
  private async goOn(watched: WatchedSession, end: WatchEnd): Promise<void> {
    if (end === 'left') return;
    const isBroken = end === 'broken';
    if (isBroken && this.broken.has(watched) && !(await this.offerRetry(watched))) return;
    if (isBroken) this.broken.add(watched);
    for (;;) {
      const before = this.list.known;
      if (watched.isDisposed || (await this.watch(watched))) return;
      if (!isBroken) await this.whenGoneOn(watched, before);
      else if (this.find(watched) && !(await this.offerRetry(watched))) return;
      if (!this.find(watched)) return watched.end();
    }
  }

  /** Resolves with the list of the next host, once it has resumed sessions of the killed one. */
  private whenGoneOn(watched: WatchedSession, before: SessionList['known']): Promise<void> {
    const { list } = this;
    const hasGoneOn = () => list.known !== before && this.find(watched)?.status !== 'interrupted';
    if (hasGoneOn()) return Promise.resolve();
    return new Promise(resolve => {
      const listening = list.onDidChange(() => {
        if (!hasGoneOn()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  private find({ id }: WatchedSession): BackgroundSession | undefined {
    return this.list.known.find(({ sessionId }) => sessionId === id);
  }
}
