/* Sends spans and metrics of all sessions of a host to a collector. Loaded only if enabled. */

import { type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { maskEvent } from '../../core/recording/maskEvent.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http/httpTransport.ts';
import { ConversationTrace } from './conversationTrace.ts';
import { Exporter } from './exporter.ts';
import { Histograms } from './histograms.ts';
import { toOtlpMetrics, toOtlpTraces } from './otlp.ts';
import type { Attributes, MetricName, Span, SpanContext, TelemetrySink } from './span.ts';
import { readTarget, type TelemetryOptions, type TelemetryTarget } from './target.ts';

interface TelemetryPorts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Receives a message for the log. */
  readonly warn: (sentence: string) => void;
  /** The provider's name in the conventions. */
  readonly provider: (model: string) => string;
}

/** The defaults of OpenTelemetry's own processors. */
const batch = { spans: 512, waiting: 2_048, ms: 5_000 };
/** How long the end of a run waits for a collector. */
const closeMs = 3_000;

export class Telemetry implements TelemetrySink {
  private readonly ports: TelemetryPorts;
  private readonly version: string;
  private readonly target: TelemetryTarget;
  private readonly parent: SpanContext | undefined;
  private readonly traces: Exporter | undefined;
  private readonly metrics: Exporter | undefined;
  private readonly histograms = new Histograms();
  private readonly conversations = new Set<ConversationTrace>();
  private readonly startedAt: number;
  private spans: Span[] = [];
  private stopWaiting: (() => void) | undefined;
  private stopMeasuring: (() => void) | undefined;

  constructor(intent: TelemetryOptions, ports: TelemetryPorts) {
    const target = readTarget(intent, ports.warn);
    this.target = target;
    this.ports = ports;
    this.version = intent.version;
    this.startedAt = ports.clock.now();
    this.parent = contextIn(intent.env.TRACEPARENT);
    this.traces = target.traces && new Exporter(target.traces, ports);
    this.metrics = target.metrics && new Exporter(target.metrics, ports);
    this.measureLater();
  }

  /** Returns the handler for a session's events, in order. */
  follow(sessionId: string): (reported: EmittedEvent) => void {
    const { captures } = this.target;
    const { provider } = this.ports;
    const common = { sessionId, captures, provider };
    const own = this.begin({ ...common, agent: 'folio', parent: () => this.parent });
    const agents = new Map<string, ConversationTrace>();
    return reported => {
      if (!isAgentEvent(reported)) return own.hear(maskEvent(reported));
      const { callId, agent, event } = reported;
      const trace =
        agents.get(callId) ?? this.begin({ ...common, agent, parent: () => own.contextOf(callId) });
      agents.set(callId, trace);
      trace.hear(maskEvent(event));
      if (event.type !== 'turn.ended') return;
      agents.delete(callId);
      this.conversations.delete(trace);
    };
  }

  /** Returns the `_meta` of a call to an MCP server, which makes the server's spans children of the call's span. */
  traceOf(callId: string): Readonly<Record<string, string>> | undefined {
    for (const conversation of this.conversations) {
      const context = conversation.contextOf(callId);
      if (!context) continue;
      conversation.noteServers(callId);
      return this.traces && { traceparent: `00-${context.traceId}-${context.spanId}-01` };
    }
    return undefined;
  }

  end(span: Span): void {
    if (!this.traces || this.spans.length >= batch.waiting) return;
    this.spans.push(span);
    if (this.spans.length >= batch.spans) void this.sendSpans();
    else this.stopWaiting ??= this.ports.clock.after(batch.ms, () => void this.sendSpans());
  }

  measure(metric: MetricName, value: number, attributes: Attributes): void {
    this.histograms.add(metric, value, attributes);
  }

  /** Resolves when everything was sent, or after some seconds. */
  async close(): Promise<void> {
    this.stopMeasuring?.();
    const { traces, metrics } = this;
    traces?.close();
    metrics?.close();
    const stop = this.ports.clock.after(closeMs, () => {
      traces?.giveUp();
      metrics?.giveUp();
    });
    await Promise.all([this.sendSpans(), this.sendMetrics()]);
    stop();
  }

  private begin(of: ConstructorParameters<typeof ConversationTrace>[0]): ConversationTrace {
    const trace = new ConversationTrace(of, this);
    this.conversations.add(trace);
    return trace;
  }

  private async sendSpans(): Promise<void> {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    const { spans, target, version } = this;
    this.spans = [];
    if (spans.length > 0) await this.traces?.send(toOtlpTraces(spans, target.resource, version));
  }

  private async sendMetrics(): Promise<void> {
    const { points } = this.histograms;
    const times = { from: this.startedAt, to: this.ports.clock.now() };
    if (points.length > 0)
      await this.metrics?.send(toOtlpMetrics(points, times, this.target.resource, this.version));
  }

  private measureLater(): void {
    if (!this.metrics) return;
    this.stopMeasuring = this.ports.clock.after(this.target.metricsMs, () => {
      void this.sendMetrics();
      this.measureLater();
    });
  }
}

/** Parses W3C trace context, which a parent program passes in a variable. */
function contextIn(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId] =
    /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(traceparent?.trim() ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}
