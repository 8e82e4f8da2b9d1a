import type { SessionEvent } from '../../../protocol/events.ts';
import { newestOutput } from '../../../protocol/liveOutput.ts';

/**
 * Events on their way to the page, with deltas of the same thing joined. Folding what `take` returns gives the
 * same state as folding every event that was added, but for `message.added`, which the page has no use for.
 *
 * The fold names a new text item after the event that opened it. So a delta that may open an item travels as it
 * is, and only those that surely continue one are joined:
 *
 *   text(5)  text(6)  text(7)  call(8)      becomes      text(5)  text(6+7, seq 7)  call(8)
 */
export class EventBatch {
  private events: SessionEvent[] = [];
  /** What the newest event was a delta of; kept across batches, since the item is. */
  private open: string | undefined;
  /** The newest event is a delta that opened nothing. */
  private joinable = false;

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  add(event: SessionEvent): void {
    if (isForModel(event)) return;
    const key = deltaKey(event);
    const last = this.events.at(-1);
    const joined = last && key !== undefined && this.continues(last, key) ? join(last, event) : undefined;
    if (joined) this.events[this.events.length - 1] = joined;
    else this.events.push(event);
    this.joinable = key !== undefined && (key === this.open || event.type === 'call.output');
    this.open = key;
  }

  /** What was added since the last time, in order. */
  take(): readonly SessionEvent[] {
    const taken = this.events;
    this.events = [];
    return taken;
  }

  /** Forgets everything: a snapshot has replaced it. */
  clear(): void {
    this.events = [];
    this.open = undefined;
  }

  private continues(last: SessionEvent, key: string): boolean {
    return this.joinable && deltaKey(last) === key;
  }
}

/** Also when it is a subagent's. */
function isForModel(event: SessionEvent): boolean {
  return (
    event.type === 'message.added' || (event.type === 'agent.event' && event.event.type === 'message.added')
  );
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
