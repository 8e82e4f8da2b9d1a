import type { ToWebview } from '../../../protocol/panel/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { ShownSession } from './shownSession.ts';

type ShowSession = (session: SessionState) => ShownSession;

/** About 30 times a second: smooth to read, cheap to send. Twice as many arrive no sooner on a busy machine. */
const interval = 33;

/**
 * Keeps one page up to date: an excerpt of the session when it asks for one, then what changes of that. The feed knows
 * what the page has, since messages arrive whole and in order. A page that is not there (hidden, not loaded yet) costs
 * nothing; what a command wants of it waits until it is.
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

  /** The page has loaded: it gets `first`, then the present session, then what waited for it. */
  attach(showSession: ShowSession, first: readonly ToWebview[] = []): void {
    this.showSession = showSession;
    for (const message of first) this.post(message);
    this.show();
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** The page is gone; the next one starts again. */
  detach(): void {
    this.shown = undefined;
    this.rest();
  }

  /** The present session as the page got it; another object each time that the page starts again with one. */
  get showing(): object | undefined {
    return this.shown;
  }

  /** Something has happened in the session: the page hears of it soon, of the first after a rest at once. */
  changed(): void {
    if (!this.shown || this.timer) return;
    const wait = Math.max(0, this.updatedAt + interval - performance.now());
    this.timer = setTimeout(() => this.update(), wait);
  }

  /** The page hears at once what has happened, also that another session is the present one. */
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

  /** The page wants the items of a chapter, or of the subagent that this call sent out. */
  load(id: string): void {
    this.shown?.open(id);
    this.update();
  }

  /** A fact that is worthless to a page that is not there. */
  notify(message: ToWebview): void {
    if (!this.shown) return;
    this.update();
    this.post(message);
  }

  /** Delivers what a user asked for and must not be lost while the page loads. */
  deliver(message: ToWebview): void {
    if (this.shown) this.notify(message);
    else this.waiting.push(message);
  }

  dispose(): void {
    this.detach();
    this.waiting.length = 0;
  }

  /** Replaces everything that the page knows of a session. */
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
