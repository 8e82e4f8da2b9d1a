import type { SessionEvent } from '../../../protocol/events.ts';
import { type AgentEvent, isOfAgent, type ToldEvent } from '../../../protocol/fold/agents.ts';
import { newestOutput } from '../../../protocol/fold/liveOutput.ts';
import type { ToWebview } from '../../../protocol/messages.ts';

export type EventMessage = Extract<ToWebview, { type: 'session.events' | 'agent.events' }>;

/**
 * Events on their way to the page, with deltas of the same thing joined. Folding what `take` returns gives the
 * same state as folding every event that was added, but for `message.added`, which the page has no use for.
 *
 * The fold names a new text item after the event that opened it. So a delta that may open an item travels as it
 * is, and only those that surely continue one are joined:
 *
 *   text(5)  text(6)  text(7)  call(8)      becomes      text(5)  text(6+7, seq 7)  call(8)
 *
 * Those of the session and of each subagent go in messages of their own, in the order in which they happened.
 */
export class EventBatch {
  private runs: Run[] = [];
  /** The item that the newest event was a delta of; kept across batches, since the item is. */
  private open: string | undefined;
  /** The newest event is a delta that opened nothing. */
  private joinable = false;

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  add(told: ToldEvent): void {
    const event = isOfAgent(told) ? told.event : told;
    if (event.type === 'message.added') return;
    const { events } = this.runOf(isOfAgent(told) ? told : undefined);
    const key = isOfAgent(told) ? undefined : deltaKey(event);
    const last = events.at(-1);
    const joined = last && key !== undefined && this.continues(last, key) ? join(last, event) : undefined;
    if (joined) events[events.length - 1] = joined;
    else events.push(event);
    this.joinable = key !== undefined && (key === this.open || event.type === 'call.output');
    this.open = key;
  }

  /** The events that were added since the last time, in order. */
  take(): readonly EventMessage[] {
    const taken = this.runs;
    this.runs = [];
    return taken.map(({ of, events }) =>
      of
        ? { type: 'agent.events', callId: of.callId, agent: of.agent, events }
        : { type: 'session.events', events },
    );
  }

  /** Forgets everything: a snapshot has replaced it. */
  clear(): void {
    this.runs = [];
    this.open = undefined;
  }

  private runOf(of: AgentEvent | undefined): Run {
    const last = this.runs.at(-1);
    if (last && last.of?.callId === of?.callId) return last;
    const run: Run = { of, events: [] };
    this.runs.push(run);
    return run;
  }

  private continues(last: SessionEvent, key: string): boolean {
    return this.joinable && deltaKey(last) === key;
  }
}

/** Events of one after the other, of the session or of one subagent. */
interface Run {
  readonly of: Pick<AgentEvent, 'callId' | 'agent'> | undefined;
  readonly events: SessionEvent[];
}

function deltaKey(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'text.appended':
    case 'thought.appended':
      return `${event.type} ${event.stepId}`;
    case 'call.output':
      return `${event.type} ${event.callId}`;
    default:
      return undefined;
  }
}

function join(last: SessionEvent, event: SessionEvent): SessionEvent | undefined {
  if (last.type === 'text.appended' && event.type === last.type)
    return { ...event, text: last.text + event.text };
  if (last.type === 'thought.appended' && event.type === last.type)
    return { ...event, text: last.text + event.text };
  if (last.type === 'call.output' && event.type === last.type)
    return { ...event, text: newestOutput(last.text + event.text) };
  return undefined;
}
