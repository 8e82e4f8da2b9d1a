/*
 * An answer comes in pieces, and a secret in it may be cut between two of them, where no pattern finds it. So text
 * goes to the journal by lines, and the line that still grows is held back:
 *
 *     text(5) "The key is AI"   text(6) "zaSy…"   text(7) "…\nNext"    becomes    text(6) "The key is AIza…[masked]\n"
 *
 * What is written carries the newest number of which all text is in it, and the rest waits under the next; numbers
 * rise and have gaps. When something else must be written, what is held goes first. A crash loses at most a line of
 * an answer that had not ended: it was shown, but no message of the history came of it.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { tailOf } from '../../base/text.ts';
import { maskEvent } from './maskEvent.ts';
import { endsOutsideSecret, maskOpenSecret, rememberedText, sharedLength } from './unfinishedText.ts';

/** A piece of an answer. */
interface Delta {
  readonly event: SessionEvent;
  readonly text: string;
  /** Names the stream that the text is a piece of. */
  readonly stream: string;
}

/** With these an answer, or this attempt at it, is over: what was held is all there is. */
const ends: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['step.retried', 'step.ended', 'turn.ended', 'message.added', 'call.requested'] as const),
]);

export class MaskingBuffer {
  private held: { readonly last: Delta; readonly text: string } | undefined;
  /** The end of what was written of a stream before it was known whether a secret stands there. */
  private readonly open = new Map<string, string>();

  /** Returns the events to write now, in order, without secrets. */
  addEvent(event: SessionEvent): readonly SessionEvent[] {
    const delta = deltaOf(event);
    if (delta) return this.append(delta);
    return [...(ends.has(event.type) ? this.end() : this.interrupt()), maskEvent(event)];
  }

  /** Held text must be written although more may follow: a possible beginning of a secret is hidden. */
  interrupt(): readonly SessionEvent[] {
    if (!this.held) return [];
    const { last, text } = this.held;
    const whole = this.before(last) + text;
    const event = this.written(last, text, maskOpenSecret(whole));
    this.open.set(last.stream, tailOf(whole, rememberedText));
    this.held = undefined;
    return event;
  }

  /** Nothing follows. */
  end(): readonly SessionEvent[] {
    const events = this.writeRest();
    this.open.clear();
    return events;
  }

  private writeRest(): readonly SessionEvent[] {
    if (!this.held) return [];
    const { last, text } = this.held;
    this.held = undefined;
    return this.written(last, text, maskSecrets(this.before(last) + text));
  }

  private append(delta: Delta): readonly SessionEvent[] {
    const { held } = this;
    if (held && held.last.stream !== delta.stream) return [...this.interrupt(), ...this.append(delta)];
    const text = (held?.text ?? '') + delta.text;
    this.held = { last: delta, text };
    const cut = delta.text.includes('\n') ? text.lastIndexOf('\n') + 1 : 0;
    const lines = text.slice(0, cut);
    // All of it, under its own number; or only what came before, under the number before.
    const last = cut === text.length ? delta : held?.last;
    if (cut === 0 || !last || !endsOutsideSecret(this.before(delta) + lines)) {
      // Text without a line break for so long is written in pieces.
      return text.length > rememberedText ? this.interrupt() : [];
    }
    const events = this.written(last, lines, maskSecrets(this.before(delta) + lines));
    this.open.delete(delta.stream);
    this.held = cut === text.length ? undefined : { last: delta, text: text.slice(cut) };
    return events;
  }

  private before(delta: Delta): string {
    return this.open.get(delta.stream) ?? '';
  }

  /** `masked`: what was written unfinished, with `text` behind it. Only what is new of that is written. */
  private written(delta: Delta, text: string, masked: string): readonly SessionEvent[] {
    const before = this.before(delta);
    const shown = masked.slice(before === '' ? 0 : sharedLength(masked, maskOpenSecret(before)));
    return text === '' || shown === '' ? [] : [withText(delta.event, shown)];
  }
}

function deltaOf(event: SessionEvent): Delta | undefined {
  if (event.type !== 'text.appended' && event.type !== 'thought.appended') return undefined;
  return { event, text: event.text, stream: `${event.type} ${event.stepId}` };
}

/** @param event that a delta was made of */
function withText(event: SessionEvent, text: string): SessionEvent {
  return event.type === 'text.appended' || event.type === 'thought.appended' ? { ...event, text } : event;
}
