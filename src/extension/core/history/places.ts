import type { SessionEvent } from '../../../protocol/events.ts';
import type { RewindTarget } from '../../../protocol/intentions.ts';
import type { SessionState } from '../../../protocol/state.ts';

/** Position of a prompt or chapter, and the state at that time. */
interface HistoryPlace extends Pick<SessionState, 'todos' | 'plan' | 'reviews'> {
  readonly seq: number;
  /** Number of messages in the history. */
  readonly messages: number;
}

interface NamedPlace extends HistoryPlace {
  readonly kind: RewindTarget['kind'];
  /** Id of a turn or chapter. */
  readonly id: string;
}

/** Index of a chapter's first message in the whole history. The opening's is 0. */
export interface ChapterStart {
  readonly chapterId: string;
  readonly message: number;
}

/** Index of a turn's prompt or a step's answer in the whole history. */
interface PlacedMessage {
  /** Id of a turn or step. */
  readonly id: string;
  readonly message: number;
}

/**
 * Places that a session can be rewound to, oldest first. Those removed by a rewind count again once it is undone. They
 * are message counts, which neither the state nor the webview contains.
 */
export class RewindIndex {
  private list: readonly NamedPlace[] = [];
  private beforeRewind: readonly NamedPlace[] = [];
  private steps: PlacedMessage[] = [];
  private stepsBeforeRewind: PlacedMessage[] = [];

  /** In order, without the opening. */
  get chapters(): readonly ChapterStart[] {
    const chapters = this.list.filter(({ kind }) => kind === 'chapter');
    return chapters.map(({ id, messages }) => ({ chapterId: id, message: messages }));
  }

  /** Indices of prompts in the whole history, oldest first. */
  get prompts(): readonly number[] {
    return this.list.filter(({ kind }) => kind === 'turn').map(({ messages }) => messages);
  }

  /** Prompts and answers. A prompt not yet in the history lies at its end. */
  get messages(): readonly PlacedMessage[] {
    const prompts = this.list.filter(({ kind }) => kind === 'turn');
    return [...prompts.map(({ id, messages }) => ({ id, message: messages })), ...this.steps];
  }

  /**
   * @param messages number before this event
   * @param state after the event
   */
  fold(event: SessionEvent, messages: number, state: SessionState): void {
    switch (event.type) {
      case 'turn.started':
        this.add('turn', event.turnId, messages, state);
        return;
      case 'chapter.started':
        // A chapter starts with a call. The answer with it is included, since calls and results must not be separated.
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

  find(to: RewindTarget): HistoryPlace | undefined {
    if (to.kind === 'call') return undefined;
    const id = to.kind === 'turn' ? to.turnId : to.chapterId;
    return this.list.find(place => place.id === id);
  }

  private add(kind: RewindTarget['kind'], id: string, messages: number, state: SessionState): void {
    const { seq, todos, plan, reviews } = state;
    this.list = [...this.list, { kind, id, seq, messages, todos, plan, reviews }];
  }
}
