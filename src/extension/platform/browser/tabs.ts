/* A tab of the user's own browser that they share with a session. */

import type { Event } from '../../base/emitter.ts';

/** Its title and address are untrusted. */
export interface UserTab {
  readonly id: string;
  readonly title: string;
  readonly address: string;
  /** Host and port of its browser's DevTools protocol. */
  readonly at: string;
}

/** `lost`: the tab or its browser was closed, or does not answer. */
export type SharingChange = 'shared' | 'stopped' | 'lost';

export interface TabSharing {
  /** The tab that the session's tools work on; absent if they use the private browser. */
  readonly present: UserTab | undefined;
  readonly onDidChange: Event<SharingChange>;
  /** Lists the tabs that show web pages. Rejects with a `BrowserError`. @param at host and port */
  list(at: string): Promise<readonly UserTab[]>;
  /** Replaces a tab that is already shared. Rejects with a `BrowserError`. */
  share(tab: UserTab): Promise<void>;
  /** Stops sharing and leaves the tab as it is. Does nothing without one. */
  stop(): void;
  /** Returns a change once, as text for the model; `undefined` if nothing is new. */
  next(): string | undefined;
}
