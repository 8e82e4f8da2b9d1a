import type { ToWebview } from '../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { ShownSession } from './shownSession.ts';

type ShowSession = (session: SessionState) => ShownSession;

/** About 30 times a second: smooth to read, cheap to send. On a busy machine a higher rate arrives no sooner. */
const interval = 33;

/**
 * Keeps one page up to date: sends an excerpt of the session on request, then patches. The feed knows the page's state,
 * since messages arrive complete and in order. A page that is hidden or not loaded costs nothing; messages from
 * commands wait for it.
 */
export class PanelFeed {
  private readonly post: (message: ToWebview) => void;
  private readonly state: () => SessionState;
  private readonly waiting: ToWebview[] = [];
  /** Absent while there is no page. */
  private shown: ShownSession | undefined;
  private showSession: ShowSession | undefined;
  private timer: NodeJS.Timeout | undefined;
  private updatedAt = 0;

  constructor(post: (message: ToWebview) => void, state: () => SessionState) {
    this.post = post;
    this.state = state;
  }

  /** Call when the page has loaded: sends `first`, then the present session, then waiting messages. */
  attach(showSession: ShowSession, first: readonly ToWebview[] = []): void {
    this.showSession = showSession;
    for (const message of first) this.post(message);
    this.show();
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** Call when the page is gone. The next one starts from scratch. */
  detach(): void {
    this.shown = undefined;
    this.rest();
  }

  /** The present session as sent to the page. A new object each time that the page starts over. */
  get showing(): object | undefined {
    return this.shown;
  }

  /** Schedules an update after events of the session; immediate after a pause. */
  changed(): void {
    if (!this.shown || this.timer) return;
    const wait = Math.max(0, this.updatedAt + interval - performance.now());
    this.timer = setTimeout(() => this.update(), wait);
  }

  /** Sends an update at once, even if another session is present now. */
  update(): void {
    this.rest();
    if (!this.shown) return;
    this.updatedAt = performance.now();
    const present = this.state();
    if (this.shown.state.sessionId !== present.sessionId) {
      this.show();
      return;
    }
    const patches = this.shown.update(present);
    if (patches.length > 0) this.post({ type: 'session.changed', patches });
  }

  /** Sends the items of a chapter, or of the subagent that this call started, from now on. */
  load(id: string): void {
    this.shown?.open(id);
    this.update();
  }

  /** Sends a message that can be dropped without a page. */
  notify(message: ToWebview): void {
    if (!this.shown) return;
    this.update();
    this.post(message);
  }

  /** Sends a message that the user asked for. It waits while the page loads. */
  deliver(message: ToWebview): void {
    if (this.shown) this.notify(message);
    else this.waiting.push(message);
  }

  dispose(): void {
    this.detach();
    this.waiting.length = 0;
  }

  /** Replaces everything that the page has of a session. */
  private show(): void {
    this.rest();
    this.shown = this.showSession?.(this.state());
    if (this.shown) this.post({ type: 'session.shown', state: this.shown.state });
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
