/* Spans and measurements, independent of a protocol. */

/** A number that is always sent as floating point, so that the attribute keeps one type. */
interface Fraction {
  readonly fraction: number;
}

export type AttributeValue = string | number | boolean | readonly string[] | Fraction;

/** Undefined members are omitted. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Identifies a span for its children, in this process or another. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: Attributes;
}

/** A span that has ended. Times are milliseconds since the Unix epoch. */
export interface Span extends SpanContext {
  readonly parentId: string | undefined;
  readonly name: string;
  /** `client`: a service does the work. */
  readonly kind: 'internal' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly failed: boolean;
}

/** Receives recorded data. Never throws. */
export interface TelemetrySink {
  end(span: Span): void;
  measure(metric: MetricName, value: number, attributes: Attributes): void;
}

export type MetricName = keyof typeof metrics;

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

/** Histograms, with names, units and bucket bounds from the conventions for generative AI and for MCP. */
export const metrics = {
  'gen_ai.client.token.usage': { unit: '{token}', bounds: tokens },
  'gen_ai.client.operation.duration': { unit: 's', bounds: seconds },
  'gen_ai.client.operation.time_to_first_chunk': { unit: 's', bounds: seconds },
  'gen_ai.invoke_agent.duration': { unit: 's', bounds: seconds },
  'gen_ai.execute_tool.duration': { unit: 's', bounds: seconds },
  'mcp.client.operation.duration': { unit: 's', bounds: seconds },
} as const;
