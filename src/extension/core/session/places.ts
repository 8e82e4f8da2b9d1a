import type { ReviewedFile, RewindPoint } from '../../../protocol/changes.ts';
import type { SessionEvent, Todo } from '../../../protocol/events.ts';
import { changeReview } from '../../../protocol/reduceChanges.ts';

/** Where a prompt or chapter begins, and what was there then. */
export interface Place {
  readonly seq: number;
  /** How many the history held. */
  readonly messages: number;
  readonly todos: readonly Todo[];
  readonly reviews: readonly ReviewedFile[];
}

interface NamedPlace extends Place {
  /** A turn's or a chapter's. */
  readonly id: string;
}

/** Places that a session can be rewound to, oldest first. Those that a rewind took away are none, until it is undone. */
export class Places {
  private list: readonly NamedPlace[] = [];
  private beforeRewind: readonly NamedPlace[] = [];
  private todos: readonly Todo[] = [];
  private todosBeforeRewind: readonly Todo[] = [];
  private reviews: readonly ReviewedFile[] = [];

  /** @param messages how many the history holds before this event */
  fold(event: SessionEvent, messages: number): void {
    switch (event.type) {
      case 'turn.started':
        this.add(event.turnId, event.seq, messages);
        return;
      case 'chapter.started':
        // It begins with a call, and a history cannot be cut between a call and its result: the answer goes too.
        this.add(event.chapterId, event.seq, Math.max(0, messages - 1));
        return;
      case 'todos.changed':
        this.todos = event.todos;
        return;
      case 'review.changed':
        this.reviews = changeReview(this.reviews, event.path, event.review);
        return;
      case 'session.rewound': {
        this.beforeRewind = this.list;
        this.todosBeforeRewind = this.todos;
        if (event.scope === 'files') return;
        const place = this.find(event.to);
        this.list = this.list.filter(({ seq }) => !place || seq < place.seq);
        this.todos = event.todos;
        return;
      }
      case 'rewind.undone':
        this.list = this.beforeRewind;
        this.todos = this.todosBeforeRewind;
        return;
    }
  }

  find(to: RewindPoint): Place | undefined {
    const id = to.kind === 'turn' ? to.turnId : to.chapterId;
    return this.list.find(place => place.id === id);
  }

  private add(id: string, seq: number, messages: number): void {
    this.list = [...this.list, { id, seq, messages, todos: this.todos, reviews: this.reviews }];
  }
}
