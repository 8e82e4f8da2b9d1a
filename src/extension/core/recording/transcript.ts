import type { Message, Part, SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { type AgentEvent, type EmittedEvent, isOfAgent } from '../../../protocol/fold/agents.ts';
import { reduce } from '../../../protocol/fold/reduce.ts';
import { reduceAgent } from '../../../protocol/fold/reduceAgents.ts';
import { emptySession, type SessionState } from '../../../protocol/state.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { History } from '../history/history.ts';
import { Places } from '../history/places.ts';

/** Gives an event its number and time, and records it. Never throws. */
export type RecordEvent = (body: SessionEventBody) => SessionEvent;

/** The result of folding events: the state, which the page shares, and parts that are too large for a page. */
export interface Folded {
  readonly state: SessionState;
  readonly history: History;
  /** Where prompts, chapters and steps lie in the history. */
  readonly places: Places;
}

/**
 * The record of a conversation. `emit` is the only way in: it numbers the event and records it, folds it, and tells
 * the listeners, in this order.
 */
export class Transcript {
  readonly history: History;
  readonly places: Places;
  private readonly record: RecordEvent;
  private readonly folds: ((event: SessionEvent) => void)[] = [];
  private readonly agentFolds: ((reported: AgentEvent) => void)[] = [];
  private readonly events = new Emitter<SessionEvent>();
  private readonly agentEvents = new Emitter<AgentEvent>();
  private current: SessionState;
  private newestPrompt = { typed: '', read: '' };

  /** Emits once for each event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent> = this.events.event;
  /** The same of the subagents that it has sent out. */
  readonly onAgentEvent: Event<AgentEvent> = this.agentEvents.event;

  /** @param past what happened before; without its history where nobody asks for that */
  constructor(record: RecordEvent, past: Partial<Folded> = {}) {
    const { state = emptySession, history = new History(), places = new Places() } = past;
    this.record = record;
    this.current = state;
    this.history = history;
    this.places = places;
  }

  get state(): SessionState {
    return this.current;
  }

  /** The newest prompt that began a turn, in the words that the model reads. */
  get prompt(): string {
    return this.newestPrompt.read;
  }

  /** The same in the user's own words: without what a command put into it. */
  get typedPrompt(): string {
    return this.newestPrompt.typed;
  }

  /** Hears every event after the state has it, those of the past too, in the order in which folds were added. */
  addFold(fold: (event: SessionEvent) => void): void {
    this.folds.push(fold);
  }

  /** The same for what happens to subagents. */
  addAgentFold(fold: (reported: AgentEvent) => void): void {
    this.agentFolds.push(fold);
  }

  /** Tells the folds that were added of what the state, the history and the places have already. */
  replay(past: readonly EmittedEvent[]): void {
    for (const reported of past) {
      if (isOfAgent(reported)) this.foldAgent(reported);
      else this.fold(reported);
    }
  }

  /** A constant of this object, so that it can be handed on as a function. */
  readonly emit = (body: SessionEventBody): void => {
    const event = this.record(body);
    this.current = reduce(this.current, event);
    this.places.fold(event, this.history.whole.length, this.current);
    this.history.fold(event, this.current.answering);
    this.fold(event);
    this.events.fire(event);
  };

  /**
   * Something happened to a subagent, whose own transcript has numbered, recorded and folded it.
   * @param work the subagent's state
   */
  hearAgent(reported: AgentEvent, work: SessionState): void {
    this.current = reduceAgent(this.current, reported, work);
    this.foldAgent(reported);
    this.agentEvents.fire(reported);
  }

  /** Puts words for the model into the history. */
  say(parts: readonly Part[], when?: 'meanwhile'): void {
    const message: Message = { role: 'user', parts };
    this.emit({ type: 'message.added', message: when ? { ...message, meanwhile: true } : message });
  }

  dispose(): void {
    this.events.dispose();
    this.agentEvents.dispose();
  }

  private fold(event: SessionEvent): void {
    if (event.type === 'turn.started')
      this.newestPrompt = { typed: event.text, read: event.wording ?? event.text };
    for (const fold of this.folds) fold(event);
  }

  private foldAgent(reported: AgentEvent): void {
    for (const fold of this.agentFolds) fold(reported);
  }
}
