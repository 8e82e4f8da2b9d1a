import type { SessionEvent } from '../../../protocol/events.ts';
import type { ToWebview } from '../../../protocol/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { EventBatch } from './eventBatch.ts';
import { eventForPage, stateForPage } from './forPage.ts';

/** About 30 times a second: smooth to read, cheap to send. */
const interval = 33;

/**
 * Keeps one page up to date: a snapshot when it asks for one, then events in bundles. A page that is not there
 * (hidden, not loaded yet) costs nothing; what a command wants of it waits until it is.
 */
export class PanelFeed {
  private readonly post: (message: ToWebview) => void;
  private readonly state: () => SessionState;
  private readonly batch = new EventBatch();
  private readonly waiting: ToWebview[] = [];
  private attached = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(post: (message: ToWebview) => void, state: () => SessionState) {
    this.post = post;
    this.state = state;
  }

  /** The page has loaded: it gets `first`, then the present state, then what waited for it. */
  attach(first: readonly ToWebview[] = []): void {
    this.attached = true;
    for (const message of first) this.post(message);
    this.snapshot();
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** The page is gone; the next one will ask for a snapshot. */
  detach(): void {
    this.attached = false;
    this.drop();
  }

  /** Replaces everything that the page knows, what was on its way included. */
  snapshot(): void {
    this.drop();
    if (this.attached) this.post({ type: 'session.snapshot', state: stateForPage(this.state()) });
  }

  add(event: SessionEvent): void {
    if (!this.attached) return;
    this.batch.add(eventForPage(event));
    if (this.batch.isEmpty) return;
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** A fact that is worthless to a page that is not there. */
  tell(message: ToWebview): void {
    if (!this.attached) return;
    this.flush();
    this.post(message);
  }

  /** What a person asked for and must not be lost while the page loads. */
  deliver(message: ToWebview): void {
    if (this.attached) this.tell(message);
    else this.waiting.push(message);
  }

  dispose(): void {
    this.detach();
    this.waiting.length = 0;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.batch.isEmpty) this.post({ type: 'session.events', events: this.batch.take() });
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.batch.clear();
  }
}
