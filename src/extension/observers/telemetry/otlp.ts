/* OTLP in JSON encoding: ids are hexadecimal, 64-bit integers are strings, enumerations are numbers. */

import type { HistogramPoint } from './histograms.ts';
import { type Attributes, type AttributeValue, metrics, type Span } from './span.ts';

const kinds = { internal: 1, client: 3 } as const;
const errorStatus = 2;
const cumulative = 2;

export function toOtlpTraces(spans: readonly Span[], resource: Attributes, version: string): object {
  const scopeSpans = [{ scope: { name: 'folio', version }, spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource: { attributes: listOf(resource) }, scopeSpans }] };
}

/** @param from start of the measured interval; milliseconds, like `to` */
export function toOtlpMetrics(
  points: readonly HistogramPoint[],
  { from, to }: { readonly from: number; readonly to: number },
  resource: Attributes,
  version: string,
): object {
  const names = [...new Set(points.map(({ metric }) => metric))];
  const all = names.map(name => ({
    name,
    unit: metrics[name].unit,
    histogram: {
      aggregationTemporality: cumulative,
      dataPoints: points
        .filter(({ metric }) => metric === name)
        .map(({ attributes, count, sum, min, max, buckets }) => ({
          attributes: listOf(attributes),
          startTimeUnixNano: nanos(from),
          timeUnixNano: nanos(to),
          count: String(count),
          sum,
          min,
          max,
          bucketCounts: buckets.map(String),
          explicitBounds: metrics[name].bounds,
        })),
    },
  }));
  const scopeMetrics = [{ scope: { name: 'folio', version }, metrics: all }];
  return { resourceMetrics: [{ resource: { attributes: listOf(resource) }, scopeMetrics }] };
}

function spanOf(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId,
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanos(span.startedAt),
    endTimeUnixNano: nanos(span.endedAt),
    attributes: listOf(span.attributes),
    events: span.events.map(({ name, at, attributes }) => ({
      timeUnixNano: nanos(at),
      name,
      attributes: listOf(attributes),
    })),
    status: span.failed ? { code: errorStatus } : {},
  };
}

function nanos(ms: number): string {
  return `${Math.trunc(ms)}000000`;
}

function listOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValueOf(value) }],
  );
}

function anyValueOf(value: AttributeValue): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return { intValue: String(Math.trunc(value)) };
    default:
      if ('fraction' in value) return { doubleValue: value.fraction };
      return { arrayValue: { values: value.map(stringValue => ({ stringValue })) } };
  }
}
