import type { RewindPoint } from '../../../protocol/changes.ts';
import type { SessionEvent } from '../../../protocol/events.ts';

/** Where a prompt or chapter begins: in the journal, and in the history as it was then. */
export interface Place {
  readonly seq: number;
  readonly messages: number;
}

/** Places that a session can be rewound to. */
export class Places {
  private readonly turns = new Map<string, Place>();
  private readonly chapters = new Map<string, Place>();

  /** @param messages how many the history holds before this event */
  fold(event: SessionEvent, messages: number): void {
    if (event.type === 'turn.started') this.turns.set(event.turnId, { seq: event.seq, messages });
    // A chapter begins with a call, and a history cannot be cut between a call and its result: the answer goes too.
    if (event.type === 'chapter.started') {
      this.chapters.set(event.chapterId, { seq: event.seq, messages: Math.max(0, messages - 1) });
    }
  }

  find(to: RewindPoint): Place | undefined {
    return to.kind === 'turn' ? this.turns.get(to.turnId) : this.chapters.get(to.chapterId);
  }
}
