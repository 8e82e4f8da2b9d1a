/* Rewinds a session to before a prompt or chapter, and undoes that. */

import type { ReviewedFile } from '../../../protocol/changes.ts';
import type { SessionEvent } from '../../../protocol/events.ts';
import type { RewindScope, RewindTarget } from '../../../protocol/intentions.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { CallItem, SessionState } from '../../../protocol/state.ts';
import type { RestoredFile } from '../../../protocol/values.ts';
import type { BaseChange } from '../../../protocol/worktree.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ChangeTracker } from '../changes/changeTracker.ts';
import type { JournalRecorder } from '../recording/recorder.ts';
import type { Transcript } from '../recording/transcript.ts';
import type { WorktreeTransfer } from '../worktrees/worktreeTransfer.ts';

/** The latest rewind, which can be undone. */
interface Undoable {
  /** Its file writes lie between these two events. */
  readonly from: number;
  readonly to: number;
  readonly reviews: readonly ReviewedFile[];
}

export class Rewinds {
  private readonly transcript: Transcript;
  private readonly changes: ChangeTracker;
  private readonly recorder: Pick<JournalRecorder, 'begin'>;
  private readonly clock: Pick<Clock, 'newId'>;
  private readonly worktreeTransfer: Pick<WorktreeTransfer, 'takeBack'> | undefined;
  private newest: Undoable | undefined;
  /** The running rewind or undo, which nothing may interrupt. */
  private running: Promise<unknown> | undefined;

  constructor(
    transcript: Transcript,
    changes: ChangeTracker,
    recorder: Pick<JournalRecorder, 'begin'>,
    clock: Pick<Clock, 'newId'>,
    worktreeTransfer?: Pick<WorktreeTransfer, 'takeBack'>,
  ) {
    this.transcript = transcript;
    this.changes = changes;
    this.recorder = recorder;
    this.clock = clock;
    this.worktreeTransfer = worktreeTransfer;
    transcript.addFold(event => this.fold(event));
  }

  /** Waits for a running rewind. Never rejects. */
  async settle(): Promise<void> {
    await this.running;
  }

  assertNone(): void {
    if (this.running) throw new Error('A rewind is running: wait until it is done.');
  }

  /** Plans the effect on files. Writes nothing. */
  preview(to: RewindTarget): Promise<readonly RestoredFile[]> {
    const { transcript } = this;
    const { restorer } = this.changes;
    if (to.kind === 'call') return restorer.planCalls(callsWithin(transcript.state, to.callId));
    const place = transcript.places.find(to);
    return place ? restorer.plan(place.seq) : Promise.resolve([]);
  }

  /** Throws if the place does not exist, or another rewind is running. */
  rewind(to: RewindTarget, scope: RewindScope): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.goBack(to, scope));
  }

  /** Undoes the latest rewind. Throws if there is none, or a turn has started since. */
  undo(): Promise<readonly RestoredFile[]> {
    return this.alone(() => this.undoNewest());
  }

  private fold(event: SessionEvent): void {
    if (event.type === 'session.rewound') {
      this.newest = { from: event.filesFrom, to: event.seq, reviews: event.reviews };
    }
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    this.assertNone();
    const working = this.recorder.begin().then(work);
    // Waiting callers only need its end; the failure goes to its own caller.
    this.running = working.catch(() => {});
    try {
      return await working;
    } finally {
      this.running = undefined;
    }
  }

  private async goBack(to: RewindTarget, scope: RewindScope): Promise<readonly RestoredFile[]> {
    if (to.kind === 'call') return this.undoCall(to);
    const { changes, transcript } = this;
    const place = transcript.places.find(to);
    if (!place) throw new Error('There is no such place in this session to go back to.');
    await changes.ledger.flush();
    const { seq: filesFrom, reviews, todos, plan } = transcript.state;
    const { seq: from } = place;
    const files =
      scope === 'conversation' ? [] : await changes.restorer.restore({ from, reviews: place.reviews });
    if (scope !== 'conversation') await this.takeBase(({ seq }) => seq > from);
    const kept =
      scope === 'files'
        ? { keptMessages: transcript.history.whole.length, todos, plan }
        : { keptMessages: place.messages, todos: place.todos, plan: place.plan };
    const rewindId = this.clock.newId();
    transcript.emit({ type: 'session.rewound', rewindId, to, scope, filesFrom, ...kept, reviews, files });
    return files;
  }

  /** Keeps the conversation, since the model has read the call's result. */
  private async undoCall(to: Extract<RewindTarget, { kind: 'call' }>): Promise<readonly RestoredFile[]> {
    const { changes, transcript } = this;
    await changes.ledger.flush();
    const { seq: filesFrom, reviews, todos, plan } = transcript.state;
    const calls = callsWithin(transcript.state, to.callId);
    const files = await changes.restorer.restoreCalls(calls);
    await this.takeBase(({ callId }) => calls.has(callId));
    const kept = { keptMessages: transcript.history.whole.length, todos, plan };
    const rewindId = this.clock.newId();
    const event = { rewindId, to, scope: 'files', filesFrom, ...kept, reviews, files } as const;
    transcript.emit({ type: 'session.rewound', ...event });
    return files;
  }

  /**
   * Restores the worktree's base from before these changes, so that they still count as unmerged. Undoing the rewind
   * does not reverse that: merging twice is harmless, whereas a file missing in the worktree must never count as
   * deleted by the session.
   */
  private async takeBase(isUndone: (change: BaseChange) => boolean): Promise<void> {
    const oldest = this.transcript.state.worktree?.baseChanges?.find(isUndone);
    if (oldest) await this.worktreeTransfer?.takeBack(oldest.before);
  }

  private async undoNewest(): Promise<readonly RestoredFile[]> {
    const { changes, transcript } = this;
    const { rewound } = transcript.state;
    if (!rewound || !this.newest) throw new Error('There is no rewind to undo.');
    await changes.ledger.flush();
    const files = await changes.restorer.restore(this.newest);
    transcript.emit({ type: 'rewind.undone', rewindId: rewound.rewindId, files });
    return files;
  }
}

/** Returns the call and those of its subagent, which can only be undone together. */
function callsWithin({ chapters }: SessionState, callId: string): ReadonlySet<string> {
  for (const chapter of chapters) {
    for (const item of iterate(chapter.items)) {
      if (item.type === 'call' && item.id === callId) return new Set(idsOf(item));
    }
  }
  return new Set([callId]);
}

function idsOf({ id, agent }: CallItem): readonly string[] {
  const inside = (agent?.session.chapters ?? []).flatMap(({ items }) => [...iterate(items)]);
  return [id, ...inside.flatMap(item => (item.type === 'call' ? idsOf(item) : []))];
}
