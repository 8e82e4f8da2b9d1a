/*
 * A strict collector for OTLP over HTTP with JSON. Unlike real ones it refuses unknown members, malformed ids and
 * times, and inconsistent histograms.
 */

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

const nanos = z.string().regex(/^\d{19}$/);
const count = z.string().regex(/^\d+$/);

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({
    arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
  }),
]);

const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine(all => new Set(all.map(({ key }) => key)).size === all.length, 'An attribute comes twice.');

const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string().min(1), version: z.string() });
const notZero = (id: string) => !/^0+$/.test(id);
const spanId = z
  .string()
  .regex(/^[\da-f]{16}$/)
  .refine(notZero);

const span = z
  .strictObject({
    traceId: z
      .string()
      .regex(/^[\da-f]{32}$/)
      .refine(notZero),
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.number().int().min(1).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes })),
    status: z.strictObject({ code: z.number().int().min(0).max(2).optional() }),
  })
  .refine(
    each => BigInt(each.endTimeUnixNano) >= BigInt(each.startTimeUnixNano),
    'It ends before it starts.',
  );

const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource,
      scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })).min(1),
    }),
  ),
});

const histogramPoint = z
  .strictObject({
    attributes,
    startTimeUnixNano: nanos,
    timeUnixNano: nanos,
    count,
    sum: z.number(),
    min: z.number(),
    max: z.number(),
    bucketCounts: z.array(count),
    explicitBounds: z.array(z.number()),
  })
  .refine(
    point => point.bucketCounts.length === point.explicitBounds.length + 1,
    'Buckets and bounds differ.',
  )
  .refine(
    point => point.bucketCounts.reduce((sum, each) => sum + Number(each), 0) === Number(point.count),
    'The buckets do not add up.',
  );

const metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          metrics: z.array(
            z.strictObject({
              name: z.string().min(1),
              unit: z.string(),
              histogram: z.strictObject({
                aggregationTemporality: z.union([z.literal(1), z.literal(2)]),
                dataPoints: z.array(histogramPoint).min(1),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type AnyValue = z.infer<typeof anyValue>;
type Values = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Values;
  readonly events: readonly { readonly name: string; readonly attributes: Values }[];
}

export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly count: number;
  readonly sum: number;
  readonly attributes: Values;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Decoded. */
  readonly text: string;
}

/** Answer to a request; `hang`: never. */
type Answer = { readonly status: number; readonly body?: string; readonly headers?: Values } | 'hang';

export class Collector {
  private readonly server: Server;
  private readonly open: ServerResponse[] = [];
  readonly requests: ReceivedRequest[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** Points of the newest metrics, which are cumulative. */
  points: readonly ReceivedPoint[] = [];
  readonly resources: Values[] = [];
  /** Faults of refused requests. */
  readonly refused: string[] = [];
  /** Answers to the next requests. */
  readonly answers: Answer[] = [];
  /** Answer to all others. */
  otherwise: Answer | undefined;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', async (request, response: ServerResponse) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const isPacked = request.headers['content-encoding'] === 'gzip';
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
      const received = { path: request.url ?? '', headers: request.headers, text };
      collector.requests.push(received);
      collector.answer(received, request.method ?? '', response);
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string): readonly ReceivedSpan[] {
    return this.spans.filter(each => each.name === name);
  }

  /** Returns the tree of span names, in order of their end. */
  tree(parentId?: string): readonly unknown[] {
    const known = new Set(this.spans.map(({ id }) => id));
    const isChild = ({ parentId: of }: ReceivedSpan) =>
      parentId === undefined ? of === undefined || !known.has(of) : of === parentId;
    return this.spans.filter(isChild).map(each => {
      const below = this.tree(each.id);
      return below.length > 0 ? [each.name, below] : each.name;
    });
  }

  async dispose(): Promise<void> {
    for (const response of this.open) response.destroy();
    this.server.closeAllConnections();
    await new Promise(done => this.server.close(done));
  }

  private answer(request: ReceivedRequest, method: string, response: ServerResponse): void {
    const answer = this.answers.shift() ?? this.otherwise;
    if (answer === 'hang') {
      this.open.push(response);
      return;
    }
    if (answer) {
      response.writeHead(answer.status, { ...(answer.headers as Record<string, string>) });
      response.end(answer.body ?? '');
      return;
    }
    const problem = this.take(request, method);
    if (problem !== undefined) this.refused.push(problem);
    response.writeHead(problem === undefined ? 200 : 400, { 'content-type': 'application/json' });
    response.end(problem === undefined ? '{"partialSuccess":{}}' : JSON.stringify({ message: problem }));
  }

  private take({ path, headers, text }: ReceivedRequest, method: string): string | undefined {
    if (method !== 'POST') return `It takes POST, not ${method}.`;
    if (headers['content-type'] !== 'application/json') return `It takes no ${headers['content-type']}.`;
    if (path.endsWith('/v1/traces')) return this.takeTraces(text);
    return path.endsWith('/v1/metrics') ? this.takeMetrics(text) : `There is no ${path}.`;
  }

  private takeTraces(text: string): string | undefined {
    const parsed = traces.safeParse(JSON.parse(text));
    if (!parsed.success) return z.prettifyError(parsed.error);
    for (const { resource: of, scopeSpans } of parsed.data.resourceSpans) {
      this.resources.push(valuesOf(of.attributes));
      for (const each of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          name: each.name,
          id: each.spanId,
          traceId: each.traceId,
          parentId: each.parentSpanId,
          kind: each.kind,
          failed: each.status.code === 2,
          attributes: valuesOf(each.attributes),
          events: each.events.map(event => ({ name: event.name, attributes: valuesOf(event.attributes) })),
        });
      }
    }
    return undefined;
  }

  private takeMetrics(text: string): string | undefined {
    const parsed = metrics.safeParse(JSON.parse(text));
    if (!parsed.success) return z.prettifyError(parsed.error);
    this.points = parsed.data.resourceMetrics
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(each => each.metrics)
      .flatMap(({ name, unit, histogram }) =>
        histogram.dataPoints.map(point => ({
          metric: name,
          unit,
          count: Number(point.count),
          sum: point.sum,
          attributes: valuesOf(point.attributes),
        })),
      );
    return undefined;
  }
}

function valuesOf(list: readonly { readonly key: string; readonly value: AnyValue }[]): Values {
  return Object.fromEntries(list.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: AnyValue): unknown {
  if ('stringValue' in value) return value.stringValue;
  if ('boolValue' in value) return value.boolValue;
  if ('intValue' in value) return Number(value.intValue);
  if ('doubleValue' in value) return value.doubleValue;
  return value.arrayValue.values.map(each => each.stringValue);
}
