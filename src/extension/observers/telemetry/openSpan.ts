import { randomBytes } from 'node:crypto';
import type { Attributes, AttributeValue, Span, SpanContext, SpanEvent } from './span.ts';

interface SpanStart {
  readonly name: string;
  readonly kind: Span['kind'];
  readonly startedAt: number;
  readonly attributes: Attributes;
}

export class OpenSpan implements SpanContext {
  readonly traceId: string;
  readonly spanId = randomBytes(8).toString('hex');
  readonly startedAt: number;
  private readonly start: SpanStart;
  private readonly parent: SpanContext | undefined;
  private readonly events: SpanEvent[] = [];
  private attributes: Record<string, AttributeValue | undefined>;

  /** @param parent omitted for the root of a trace */
  constructor(start: SpanStart, parent: SpanContext | undefined) {
    this.start = start;
    this.startedAt = start.startedAt;
    this.parent = parent;
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.attributes = { ...start.attributes };
  }

  add(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  note(name: string, at: number, attributes: Attributes = {}): void {
    this.events.push({ name, at, attributes });
  }

  /** @param errorType kind of the error; `undefined` on success */
  end(endedAt: number, errorType: string | undefined): Span {
    const { traceId, spanId, start, parent, events } = this;
    return {
      ...start,
      traceId,
      spanId,
      parentId: parent?.spanId,
      // The clock may have been set back.
      endedAt: Math.max(endedAt, start.startedAt),
      attributes: { ...this.attributes, 'error.type': errorType },
      events,
      failed: errorType !== undefined,
    };
  }
}
