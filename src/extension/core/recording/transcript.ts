import type { Message, Part, SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { type AgentEvent, type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { reduce } from '../../../protocol/fold/reduce.ts';
import { reduceAgent } from '../../../protocol/fold/reduceAgents.ts';
import { emptySession, type SessionState } from '../../../protocol/state.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { History } from '../history/history.ts';
import { RewindIndex } from '../history/places.ts';

/** Numbers and dates an event and records it. Never throws. */
export type RecordEvent = (body: SessionEventBody) => SessionEvent;

/** Result of folding events: the state, which the webview shares, and parts too large for it. */
export interface FoldedSession {
  readonly state: SessionState;
  readonly history: History;
  /** Positions of prompts, chapters and steps in the history. */
  readonly places: RewindIndex;
}

/**
 * The record of a conversation. All events go through `emit`, which numbers and records the event, folds it, and
 * notifies listeners, in this order.
 */
export class Transcript {
  readonly history: History;
  readonly places: RewindIndex;
  private readonly record: RecordEvent;
  private readonly folds: ((event: SessionEvent) => void)[] = [];
  private readonly agentFolds: ((reported: AgentEvent) => void)[] = [];
  private readonly events = new Emitter<SessionEvent>();
  private readonly agentEvents = new Emitter<AgentEvent>();
  private current: SessionState;
  private newestPrompt = { typed: '', read: '' };

  /** Fires once per event, after it was recorded and folded. */
  readonly onEvent: Event<SessionEvent> = this.events.event;
  /** Fires likewise for each event of a subagent. */
  readonly onAgentEvent: Event<AgentEvent> = this.agentEvents.event;

  /** @param past earlier events; without history if that is not needed */
  constructor(record: RecordEvent, past: Partial<FoldedSession> = {}) {
    const { state = emptySession, history = new History(), places = new RewindIndex() } = past;
    this.record = record;
    this.current = state;
    this.history = history;
    this.places = places;
  }

  get state(): SessionState {
    return this.current;
  }

  /** The newest prompt of a turn, as the model reads it. */
  get prompt(): string {
    return this.newestPrompt.read;
  }

  /** The same prompt as the user typed it, without text added by a command. */
  get typedPrompt(): string {
    return this.newestPrompt.typed;
  }

  /** Adds a fold, called in order for each event after the state was updated, including past events. */
  addFold(fold: (event: SessionEvent) => void): void {
    this.folds.push(fold);
  }

  /** Adds a fold for events of subagents, likewise. */
  addAgentFold(fold: (reported: AgentEvent) => void): void {
    this.agentFolds.push(fold);
  }

  /** Passes past events, which state, history and places contain, to the added folds. */
  replay(past: readonly EmittedEvent[]): void {
    for (const reported of past) {
      if (isAgentEvent(reported)) this.foldAgent(reported);
      else this.fold(reported);
    }
  }

  /** A property, so that it can be passed as a function. */
  readonly emit = (body: SessionEventBody): void => {
    const event = this.record(body);
    this.current = reduce(this.current, event);
    this.places.fold(event, this.history.whole.length, this.current);
    this.history.fold(event, this.current.answering);
    this.fold(event);
    this.events.fire(event);
  };

  /**
   * Takes an event of a subagent after its own transcript has handled it.
   * @param work the subagent's state
   */
  hearAgent(reported: AgentEvent, work: SessionState): void {
    this.current = reduceAgent(this.current, reported, work);
    this.foldAgent(reported);
    this.agentEvents.fire(reported);
  }

  /** Adds text for the model to the history. */
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
