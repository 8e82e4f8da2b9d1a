import type { SessionEvent } from '../../../protocol/events.ts';
import type { RewindPoint } from '../../../protocol/intentions.ts';
import type { SessionState } from '../../../protocol/state.ts';

/** Where a prompt or chapter begins, and what was there then. */
export interface Place extends Pick<SessionState, 'todos' | 'plan' | 'reviews'> {
  readonly seq: number;
  /** How many the history held. */
  readonly messages: number;
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
interface PlacedMessage {
  /** A turn's or a step's. */
  readonly id: string;
  readonly message: number;
}

/**
 * Places that a session can be rewound to, oldest first. Places that a rewind took away do not count until it is
 * undone. They are numbers of messages in the history, which the state, and so the page, does not hold.
 */
export class Places {
  private list: readonly NamedPlace[] = [];
  private beforeRewind: readonly NamedPlace[] = [];
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

  /**
   * @param messages how many the history holds before this event
   * @param state after it
   */
  fold(event: SessionEvent, messages: number, state: SessionState): void {
    switch (event.type) {
      case 'turn.started':
        this.add('turn', event.turnId, messages, state);
        return;
      case 'chapter.started':
        // It begins with a call, and a history cannot be cut between a call and its result: the answer goes too.
        this.add('chapter', event.chapterId, Math.max(0, messages - 1), state);
        return;
      case 'step.ended':
        this.steps.push({ id: event.stepId, message: messages - 1 });
        return;
      case 'session.rewound': {
        this.beforeRewind = this.list;
        this.stepsBeforeRewind = this.steps;
        if (event.scope === 'files') return;
        const place = this.find(event.to);
        this.list = this.list.filter(({ seq }) => !place || seq < place.seq);
        this.steps = this.steps.filter(({ message }) => message < event.keptMessages);
        return;
      }
      case 'rewind.undone':
        this.list = this.beforeRewind;
        this.steps = this.stepsBeforeRewind;
        return;
    }
  }

  find(to: RewindPoint): Place | undefined {
    if (to.kind === 'call') return undefined;
    const id = to.kind === 'turn' ? to.turnId : to.chapterId;
    return this.list.find(place => place.id === id);
  }

  private add(kind: RewindPoint['kind'], id: string, messages: number, state: SessionState): void {
    const { seq, todos, plan, reviews } = state;
    this.list = [...this.list, { kind, id, seq, messages, todos, plan, reviews }];
  }
}
