/* Determines the target of telemetry from OpenTelemetry's environment variables and the settings. */

import type { Attributes } from './span.ts';

export interface TelemetryTarget {
  /** Omitted if this signal is not sent. */
  readonly traces?: TelemetryEndpoint;
  readonly metrics?: TelemetryEndpoint;
  readonly resource: Attributes;
  readonly captures: boolean;
  /** Interval for sending metrics, milliseconds. */
  readonly metricsMs: number;
}

export interface TelemetryEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  /** For one request, including retries. */
  readonly timeoutMs: number;
}

export interface TelemetryOptions {
  /** The setting, which wins over the variables. Empty if unset. */
  readonly endpoint: string;
  readonly captures: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folio's version. */
  readonly version: string;
}

/** @param warn receives a message about an invalid variable */
export function readTarget(
  { endpoint, captures, env, version }: TelemetryOptions,
  warn: (sentence: string) => void,
): TelemetryTarget {
  const given = (name: string) => env[name]?.trim() || undefined;
  const base = endpoint || given('OTEL_EXPORTER_OTLP_ENDPOINT');
  const receiver = (signal: 'traces' | 'metrics') => readReceiver(signal, base, endpoint !== '', given, warn);
  return {
    traces: receiver('traces'),
    metrics: receiver('metrics'),
    resource: readResource(given, version),
    captures,
    metricsMs: amountOf(given('OTEL_METRIC_EXPORT_INTERVAL')) ?? 60_000,
  };
}

function readReceiver(
  signal: 'traces' | 'metrics',
  base: string | undefined,
  isSet: boolean,
  given: (name: string) => string | undefined,
  warn: (sentence: string) => void,
): TelemetryEndpoint | undefined {
  const name = signal.toUpperCase();
  const exporters = given(`OTEL_${name}_EXPORTER`);
  if (exporters !== undefined && !exporters.split(',').some(each => each.trim() === 'otlp')) return undefined;
  const ofSignal = (rest: string) =>
    given(`OTEL_EXPORTER_OTLP_${name}_${rest}`) ?? given(`OTEL_EXPORTER_OTLP_${rest}`);
  // An endpoint for one signal is used unchanged; the signal's path is appended to the common endpoint.
  const own = isSet ? undefined : given(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`);
  const address = own ?? (base && `${base.replace(/\/+$/, '')}/v1/${signal}`);
  if (address === undefined) return undefined;
  const protocol = ofSignal('PROTOCOL');
  const sentence = `Telemetry: no ${signal} are sent`;
  if (protocol?.toLowerCase() === 'grpc') {
    warn(`${sentence}, since Folio speaks OTLP over HTTP and not gRPC. Name the HTTP port of the collector.`);
    return undefined;
  }
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    warn(`${sentence}, since the address of the collector does not start with http:// or https://.`);
    return undefined;
  }
  return {
    url: address,
    headers: pairsOf(ofSignal('HEADERS')),
    gzip: ofSignal('COMPRESSION')?.toLowerCase() === 'gzip',
    timeoutMs: amountOf(ofSignal('TIMEOUT')) ?? 10_000,
  };
}

function readResource(given: (name: string) => string | undefined, version: string): Attributes {
  return {
    'service.name': 'folio',
    'service.version': version,
    'telemetry.sdk.name': 'folio',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
    ...pairsOf(given('OTEL_RESOURCE_ATTRIBUTES')),
    ...named('service.name', given('OTEL_SERVICE_NAME')),
  };
}

function named(name: string, value: string | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}

/** Parses `a=1,b=2` with percent-encoded values. Omits invalid pairs. */
function pairsOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap(pair => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(at, 0)).trim();
    return key === '' ? [] : [[key, decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A literal percent sign.
    return text;
  }
}

function amountOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
