/* A tab of a browser that the user started, which they share with a session. */

import type { Event } from '../../base/emitter.ts';

/** Its title and address are untrusted. */
export interface UsersTab {
  readonly id: string;
  readonly title: string;
  readonly address: string;
  /** Host and port at which its browser takes the DevTools protocol. */
  readonly at: string;
}

/** `lost`: the tab or its browser was closed, or does not answer. */
export type SharingChange = 'shared' | 'stopped' | 'lost';

export interface TabSharing {
  /** The tab that the tools of the session work on; absent: they work in the private browser. */
  readonly present: UsersTab | undefined;
  readonly onDidChange: Event<SharingChange>;
  /** The tabs that show pages of the web. Rejects with a `BrowserError`. @param at host and port */
  list(at: string): Promise<readonly UsersTab[]>;
  /** Replaces one that is shared. Rejects with a `BrowserError`. */
  share(tab: UsersTab): Promise<void>;
  /** Leaves the tab as it is. Does nothing without one. */
  stop(): void;
  /** Tells the model once of a change; `undefined`: nothing is new. */
  next(): string | undefined;
}
