import type { SessionEvent } from '../../../protocol/events.ts';
import type { AgentEvent, ToldEvent } from '../../../protocol/fold/agents.ts';
import type { ToWebview } from '../../../protocol/messages.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { EventBatch } from './eventBatch.ts';
import { eventForPage, needsSnapshot, type PageBounds, pageBounds, stateForPage } from './forPage.ts';
import { itemsForPage } from './itemForPage.ts';

/** About 30 times a second: smooth to read, cheap to send. */
const interval = 33;

/**
 * Keeps one page up to date: a snapshot when it asks for one, then events in bundles. A page that is not there
 * (hidden, not loaded yet) costs nothing; what a command wants of it waits until it is. Older chapters come without
 * their items, which the page asks for when somebody comes near them.
 */
export class PanelFeed {
  private readonly post: (message: ToWebview) => void;
  private readonly state: () => SessionState;
  private readonly bounds: PageBounds;
  private readonly batch = new EventBatch();
  private readonly waiting: ToWebview[] = [];
  private attached = false;
  private sessionId: string | undefined;
  /** Chapters whose items the page has. */
  private shown = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  /** @param bounds of a snapshot */
  constructor(post: (message: ToWebview) => void, state: () => SessionState, bounds = pageBounds) {
    this.post = post;
    this.state = state;
    this.bounds = bounds;
  }

  /** The page has loaded: it gets `first`, then the present state, then what waited for it. */
  attach(first: readonly ToWebview[] = []): void {
    this.attached = true;
    this.shown.clear();
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
    if (!this.attached) return;
    const whole = this.state();
    if (whole.sessionId !== this.sessionId) this.shown.clear();
    this.sessionId = whole.sessionId;
    const state = stateForPage(whole, this.shown, this.bounds);
    // Those that the page got sight of before stay named: a rewind that took them away may be undone.
    for (const { id, unloaded } of state.chapters) if (unloaded === undefined) this.shown.add(id);
    this.post({ type: 'session.snapshot', state });
  }

  /** After it was folded into the state. */
  add(event: SessionEvent): void {
    if (!this.attached) return;
    if (event.type === 'chapter.started') this.shown.add(event.chapterId);
    if (needsSnapshot(event, this.state(), this.shown)) {
      this.snapshot();
      return;
    }
    this.send(eventForPage(event));
  }

  /** The same of a subagent. */
  addAgent({ callId, agent, event }: AgentEvent): void {
    if (this.attached) this.send({ callId, agent, event: eventForPage(event) });
  }

  /** The page wants the items of a chapter. It may be gone meanwhile, or the page may have got it already. */
  load(chapterId: string): void {
    const chapter = this.state().chapters.find(({ id }) => id === chapterId);
    if (!this.attached || !chapter || this.shown.has(chapterId)) return;
    this.shown.add(chapterId);
    this.tell({ type: 'chapter.loaded', chapterId, items: itemsForPage(chapter) });
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

  private send(told: ToldEvent): void {
    this.batch.add(told);
    if (!this.batch.isEmpty) this.timer ??= setTimeout(() => this.flush(), interval);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const message of this.batch.take()) this.post(message);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.batch.clear();
  }
}
