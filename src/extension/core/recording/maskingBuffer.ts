/*
 * Masks secrets in streamed answers. A secret may be split across chunks, where no pattern finds it, so text is written
 * by lines and an incomplete line is buffered:
 *
 *     text(5) "The key is AI"   text(6) "zaSy…"   text(7) "…\nNext"    becomes    text(6) "The key is AIza…[masked]\n"
 *
 * Written text has the highest number whose text it fully contains, the rest waits under the next. Numbers rise with
 * gaps. Any other event flushes the buffer first. A crash loses at most one line of an unfinished answer, which was
 * shown but is in no message of the history.
 */

import type { SessionEvent } from '../../../protocol/events.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { commonPrefixLength, tailOf } from '../../base/text.ts';
import { maskEvent } from './maskEvent.ts';
import { endsOutsideSecret, maskOpenSecret, maxRememberedText } from './unfinishedText.ts';

interface Delta {
  readonly event: SessionEvent;
  readonly text: string;
  /** Id of the text's stream. */
  readonly stream: string;
}

/** Events after which an answer, or this attempt, is complete. */
const ends: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['step.retried', 'step.ended', 'turn.ended', 'message.added', 'call.requested'] as const),
]);

export class MaskingBuffer {
  private held: { readonly last: Delta; readonly text: string } | undefined;
  /** Ends of streams that were written while a secret may have started there. */
  private readonly open = new Map<string, string>();

  /** Returns the masked events to write now, in order. */
  addEvent(event: SessionEvent): readonly SessionEvent[] {
    const delta = deltaOf(event);
    if (delta) return this.append(delta);
    return [...(ends.has(event.type) ? this.end() : this.interrupt()), maskEvent(event)];
  }

  /** Flushes incomplete text and hides a possible start of a secret. */
  interrupt(): readonly SessionEvent[] {
    if (!this.held) return [];
    const { last, text } = this.held;
    const whole = this.before(last) + text;
    const event = this.written(last, text, maskOpenSecret(whole));
    this.open.set(last.stream, tailOf(whole, maxRememberedText));
    this.held = undefined;
    return event;
  }

  /** Flushes at the end of the stream. */
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
    // Either all of it under its own number, or the earlier part under the number before.
    const last = cut === text.length ? delta : held?.last;
    if (cut === 0 || !last || !endsOutsideSecret(this.before(delta) + lines)) {
      // Very long text without a line break is written in chunks.
      return text.length > maxRememberedText ? this.interrupt() : [];
    }
    const events = this.written(last, lines, maskSecrets(this.before(delta) + lines));
    this.open.delete(delta.stream);
    this.held = cut === text.length ? undefined : { last: delta, text: text.slice(cut) };
    return events;
  }

  private before(delta: Delta): string {
    return this.open.get(delta.stream) ?? '';
  }

  /** `masked`: unfinished text already written, followed by `text`. Only the new part is written. */
  private written(delta: Delta, text: string, masked: string): readonly SessionEvent[] {
    const before = this.before(delta);
    const shown = masked.slice(before === '' ? 0 : commonPrefixLength(masked, maskOpenSecret(before)));
    return text === '' || shown === '' ? [] : [withText(delta.event, shown)];
  }
}

function deltaOf(event: SessionEvent): Delta | undefined {
  if (event.type !== 'text.appended' && event.type !== 'thought.appended') return undefined;
  return { event, text: event.text, stream: `${event.type} ${event.stepId}` };
}

/** @param event from which a delta was created */
function withText(event: SessionEvent, text: string): SessionEvent {
  return event.type === 'text.appended' || event.type === 'thought.appended' ? { ...event, text } : event;
}
