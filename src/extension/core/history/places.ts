import type { ReviewedFile, RewindPoint } from '../../../protocol/changes.ts';
import type { SessionEvent, Todo } from '../../../protocol/events.ts';
import { changeReview } from '../../../protocol/fold/reduceChanges.ts';
import { foldPlan } from '../../../protocol/fold/reduceControl.ts';
import type { NewestPlan } from '../../../protocol/state.ts';

/** Where a prompt or chapter begins, and what was there then. */
export interface Place {
  readonly seq: number;
  /** How many the history held. */
  readonly messages: number;
  readonly todos: readonly Todo[];
  readonly plan?: NewestPlan;
  readonly reviews: readonly ReviewedFile[];
}

interface NamedPlace extends Place {
  readonly kind: RewindPoint['kind'];
  /** A turn's or a chapter's. */
  readonly id: string;
}

/** Where a chapter's messages begin in the whole history. The opening's begin at 0. */
export interface ChapterStart {
  readonly chapterId: string;
  readonly message: number;
}

/** Where the prompt of a turn or the answer of a step lies in the whole history. */
export interface PlacedMessage {
  /** A turn's or a step's. */
  readonly id: string;
  readonly message: number;
}

/** Places that a session can be rewound to, oldest first. Those that a rewind took away are none, until it is undone. */
export class Places {
  private list: readonly NamedPlace[] = [];
  private beforeRewind: readonly NamedPlace[] = [];
  private todos: readonly Todo[] = [];
  private todosBeforeRewind: readonly Todo[] = [];
  private plan: NewestPlan | undefined;
  private planBeforeRewind: NewestPlan | undefined;
  private reviews: readonly ReviewedFile[] = [];
  private steps: PlacedMessage[] = [];
  private stepsBeforeRewind: PlacedMessage[] = [];

  /** In order, without the opening. */
  get chapters(): readonly ChapterStart[] {
    const chapters = this.list.filter(({ kind }) => kind === 'chapter');
    return chapters.map(({ id, messages }) => ({ chapterId: id, message: messages }));
  }

  /** Where prompts lie in the whole history, oldest first. */
  get prompts(): readonly number[] {
    return this.list.filter(({ kind }) => kind === 'turn').map(({ messages }) => messages);
  }

  /** Prompts and answers; a prompt that has not come to the history yet lies at its end. */
  get messages(): readonly PlacedMessage[] {
    const prompts = this.list.filter(({ kind }) => kind === 'turn');
    return [...prompts.map(({ id, messages }) => ({ id, message: messages })), ...this.steps];
  }

  /** @param messages how many the history holds before this event */
  fold(event: SessionEvent, messages: number): void {
    switch (event.type) {
      case 'turn.started':
        this.add('turn', event.turnId, event.seq, messages);
        return;
      case 'chapter.started':
        // It begins with a call, and a history cannot be cut between a call and its result: the answer goes too.
        this.add('chapter', event.chapterId, event.seq, Math.max(0, messages - 1));
        return;
      case 'step.ended':
        this.steps.push({ id: event.stepId, message: messages - 1 });
        return;
      case 'todos.changed':
        this.todos = event.todos;
        return;
      case 'plan.written':
      case 'plan.decided':
        this.plan = foldPlan(this.plan, event);
        return;
      case 'review.changed':
        this.reviews = changeReview(this.reviews, event.path, event.review);
        return;
      case 'session.rewound': {
        this.beforeRewind = this.list;
        this.todosBeforeRewind = this.todos;
        this.planBeforeRewind = this.plan;
        this.stepsBeforeRewind = this.steps;
        if (event.scope === 'files') return;
        const place = this.find(event.to);
        this.list = this.list.filter(({ seq }) => !place || seq < place.seq);
        this.todos = event.todos;
        this.plan = event.plan;
        this.steps = this.steps.filter(({ message }) => message < event.keptMessages);
        return;
      }
      case 'rewind.undone':
        this.list = this.beforeRewind;
        this.todos = this.todosBeforeRewind;
        this.plan = this.planBeforeRewind;
        this.steps = this.stepsBeforeRewind;
        return;
    }
  }

  find(to: RewindPoint): Place | undefined {
    const id = to.kind === 'turn' ? to.turnId : to.chapterId;
    return this.list.find(place => place.id === id);
  }

  private add(kind: RewindPoint['kind'], id: string, seq: number, messages: number): void {
    const { todos, plan, reviews } = this;
    this.list = [...this.list, { kind, id, seq, messages, todos, plan, reviews }];
  }
}
