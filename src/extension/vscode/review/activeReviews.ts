import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ReviewLedger } from '../../core/changes/ledger.ts';
import { asLines } from '../../review/asLines.ts';
import { allChanges, pendingChanges } from '../../review/fileMode.ts';
import type { FileReview } from '../../review/hunk.ts';
import type { ReviewedPath } from './hunkPlaces.ts';

/** The part of the shown session that reviews need. */
export interface ReviewedSession {
  /** `undefined` before there is one. */
  readonly present: { readonly changes: { readonly ledger: ReviewLedger } } | undefined;
  readonly onDidSwitch: Event<void>;
}

interface RejectedHunk {
  readonly path: string;
  readonly hunkId: number;
}

/**
 * Changes in quick succession are reported one by one up to this number, the rest together after each pause: reporting
 * hundreds of files one by one would block the window.
 */
const reportedAtOnce = 10;
const burstMs = 100;

/** The pending reviews of the shown session. */
export class ActiveReviews implements Disposable {
  private readonly session: ReviewedSession;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<ReadonlySet<string>>());
  private readonly reported = new Set<string>();
  /** Files with a review, which must be reported again after a switch of sessions. */
  private readonly shown = new Set<string>();
  private subscription: Disposable | undefined;
  private burst: { reported: number; readonly timer: NodeJS.Timeout } | undefined;
  private rejected: readonly RejectedHunk[] = [];
  /** Real paths. Fires once, however many hunks are decided together. */
  readonly onDidChange = this.changed.event;

  constructor(session: ReviewedSession) {
    this.session = session;
    this.store.add(session.onDidSwitch(() => this.subscribe()));
    this.subscribe();
  }

  /** The ledger of the shown session; `undefined` before there is one. */
  get ledger(): ReviewLedger | undefined {
    return this.session.present?.changes.ledger;
  }

  /** Files with a pending decision, in the order of the first change. */
  get pending(): readonly ReviewedPath[] {
    const { ledger } = this;
    return (ledger?.paths ?? []).flatMap(path => {
      const review = ledger?.review(path);
      return review && pendingChanges(review).length > 0 ? [{ path, review: asLines(review) }] : [];
    });
  }

  /** Returns `undefined` if nothing is pending in the file. */
  pendingIn(path: string | undefined): FileReview | undefined {
    const review = path === undefined ? undefined : this.ledger?.review(path);
    return review && pendingChanges(review).length > 0 ? asLines(review) : undefined;
  }

  get lastRejected(): RejectedHunk | undefined {
    return this.rejected.at(-1);
  }

  dispose(): void {
    clearTimeout(this.burst?.timer);
    this.subscription?.dispose();
    this.store.dispose();
  }

  private subscribe(): void {
    this.subscription?.dispose();
    this.rejected = [];
    this.subscription = this.ledger?.onDidChange(path => this.notify([path]));
    this.notify([...this.shown, ...(this.ledger?.followed ?? [])]);
  }

  private notify(paths: readonly string[]): void {
    const isFirst = this.reported.size === 0;
    for (const path of paths) this.reported.add(path);
    if (!isFirst || this.reported.size === 0) return;
    this.burst ??= { reported: 0, timer: setTimeout(() => this.endBurst(), burstMs) };
    if (++this.burst.reported <= reportedAtOnce) queueMicrotask(() => this.fire());
  }

  private endBurst(): void {
    const goesOn = this.reported.size > 0;
    this.burst = goesOn
      ? { reported: reportedAtOnce, timer: setTimeout(() => this.endBurst(), burstMs) }
      : undefined;
    if (goesOn) this.fire();
  }

  private fire(): void {
    const changed = new Set(this.reported);
    this.reported.clear();
    for (const path of changed) this.note(path);
    this.changed.fire(changed);
  }

  private note(path: string): void {
    const review = this.ledger?.review(path);
    if (review) this.shown.add(path);
    else this.shown.delete(path);
    const ids = (review ? allChanges(review) : [])
      .filter(hunk => hunk.status === 'rejected')
      .map(({ id }) => id);
    const kept = this.rejected.filter(hunk => hunk.path !== path || ids.includes(hunk.hunkId));
    const known = new Set(kept.filter(hunk => hunk.path === path).map(({ hunkId }) => hunkId));
    const fresh = ids.filter(id => !known.has(id)).map(hunkId => ({ path, hunkId }));
    this.rejected = [...kept, ...fresh];
  }
}
