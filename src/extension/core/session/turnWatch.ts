/* What pauses or prolongs a turn without the person: budgets, loops, and whether the model meant to rest. */

import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type {
  Message,
  SessionEvent,
  SessionEventBody,
  SideAsked,
  TurnEnd,
} from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { type History, textOf } from '../history/history.ts';
import type { JudgeRequest } from '../loops/judgePrompt.ts';
import { LoopWatch } from '../loops/loopWatch.ts';
import type { Routing } from '../routing/routing.ts';
import { type AskSurroundings, ask } from './ask.ts';
import { Budgets } from './budgets.ts';
import { describeNearBudget } from './describeNearBudget.ts';
import { NextSpeaker } from './nextSpeaker.ts';
import { sideQuestions } from './sideQuestions.ts';
import type { SessionSurroundings } from './surroundings.ts';
import type { TurnSurroundings } from './turn.ts';

export interface TurnWatchSurroundings {
  readonly around: SessionSurroundings;
  readonly history: Pick<History, 'messages'>;
  /** Its `side` answers what is asked here. */
  readonly routing: Pick<Routing, 'side'>;
  readonly state: () => SessionState;
  readonly emit: (event: SessionEventBody) => void;
  /** Of the turn that runs. */
  readonly signal: () => AbortSignal;
}

/** A judgement is not worth the pauses that an answer is worth. */
const mostAttempts = 2;

export class TurnWatch {
  private readonly parts: TurnWatchSurroundings;
  private readonly budgets: Budgets;
  private readonly loops: LoopWatch;
  private readonly speaker: NextSpeaker;
  private goal = '';
  private lastEnd: TurnEnd | undefined;

  constructor(parts: TurnWatchSurroundings) {
    const { around, history } = parts;
    this.parts = parts;
    this.budgets = new Budgets(around.budgetLimits);
    this.loops = new LoopWatch({
      isDisabled: () => !around.loopDetection(),
      ask: request => this.judge(request),
      messages: () => history.messages,
      log: around.log,
    });
    this.speaker = new NextSpeaker(this.asking('nextSpeaker'));
  }

  /** Hears every event. */
  fold(event: SessionEvent): void {
    this.budgets.fold(event);
    switch (event.type) {
      case 'turn.started':
        this.goal = event.text;
        this.loops.beginTurn(this.goal);
        this.speaker.worked();
        return;
      case 'call.requested':
        this.speaker.worked();
        return;
      case 'turn.retried':
        // Who goes on after an alarm has looked at it and knows better.
        if (this.lastEnd?.kind === 'loop') this.loops.disable();
        this.loops.beginTurn(this.goal);
        this.speaker.worked();
        return;
      case 'turn.ended':
        this.lastEnd = event.end;
        return;
    }
  }

  resume(): void {
    this.budgets.resume(this.parts.around.clock.now());
  }

  ofTurn(): Pick<TurnSurroundings, 'findReachedBudget' | 'loops' | 'goesOn'> {
    return {
      loops: this.loops,
      findReachedBudget: () => this.findReachedBudget(),
      goesOn: (answer, signal) => this.goesOn(answer, signal),
    };
  }

  private findReachedBudget(): ReachedBudget | undefined {
    const { around, emit } = this.parts;
    const { reached, near } = this.budgets.check(around.clock.now());
    for (const budget of near) {
      emit({ type: 'notice.shown', level: 'warning', text: describeNearBudget(budget) });
    }
    return reached;
  }

  /** What waits is a reason to rest: the person has said what comes next. */
  private async goesOn(answer: Message, signal: AbortSignal): Promise<boolean> {
    const { around, routing, state, emit } = this.parts;
    if (!around.nextSpeakerCheck() || state().queue.length > 0) return false;
    if (!(await this.speaker.isModel(routing.side, textOf(answer), signal))) return false;
    emit({ type: 'message.added', message: { role: 'user', parts: [{ kind: 'text', text: 'Go on.' }] } });
    return true;
  }

  /** Rejects when there is no answer. */
  private async judge({ system, text }: JudgeRequest): Promise<string> {
    const messages = [{ role: 'user', parts: [{ kind: 'text', text }] }] as const;
    const request = {
      model: this.parts.routing.side,
      system,
      messages,
      tools: [],
      signal: this.parts.signal(),
    };
    const result = await ask(request, this.asking('loop'));
    if (result.kind === 'answered') return result.text;
    throw result.kind === 'failed' ? result.error : new Error('It was stopped.');
  }

  private asking(purpose: SideAsked['purpose']): AskSurroundings {
    const { around, emit } = this.parts;
    const maxAttempts = () => Math.min(mostAttempts, around.maxAttempts());
    return { ...sideQuestions(around, purpose, emit), maxAttempts };
  }
}
