/* What Google's services say about an error: the body of the answer, read as `unknown`. */

export interface ErrorDetails {
  /** Google's word, for example `RESOURCE_EXHAUSTED`; empty when unknown. */
  readonly code: string;
  /** The service's own words, for its developers. */
  readonly message: string;
  readonly status: number | undefined;
  /** Reasons of all `ErrorInfo` details, for example `API_KEY_INVALID`. */
  readonly reasons: readonly string[];
  /** Ids of the quotas that were exceeded. */
  readonly quotas: readonly string[];
  readonly retryAfterMs: number | undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Takes the text of a client's error, which holds the body as JSON, sometimes after a few words. */
export function parseErrorDetails(text: string): ErrorDetails {
  const error = asRecord(asRecord(parseJson(text))?.error);
  const inner = asText(error?.message) || text;
  // Proxies of Google's own put the whole error once more into the message.
  if (error && inner.trimStart().startsWith('{') && asRecord(parseJson(inner))?.error) {
    return parseErrorDetails(inner);
  }
  const details = recordsIn(error?.details);
  const status = error?.code;
  return {
    code: asText(error?.status),
    message: inner,
    status: typeof status === 'number' ? status : undefined,
    reasons: details.map(detail => asText(detail.reason)).filter(Boolean),
    quotas: details
      .flatMap(detail => recordsIn(detail.violations))
      .map(({ quotaId }) => asText(quotaId))
      .filter(Boolean),
    retryAfterMs: findRetryDelay(details, inner),
  };
}

/** Seconds with a unit, as in `34.07s` or `500ms`. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^([\d.]+)(ms|s)$/.exec(text.trim()) ?? [];
  const number = Number(amount);
  if (!Number.isFinite(number)) return undefined;
  return Math.ceil(unit === 'ms' ? number : number * 1000);
}

/** The HTTP header: seconds, or a date. */
export function parseRetryAfter(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function findRetryDelay(details: readonly JsonObject[], message: string): number | undefined {
  for (const detail of details) {
    const delay = parseDuration(asText(detail.retryDelay));
    if (delay !== undefined) return delay;
  }
  return parseDuration(/retry in ([\d.]+m?s)/i.exec(message)?.[1] ?? '');
}

function parseJson(text: string): unknown {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    // Not JSON after all: the text itself is all there is to know.
    return undefined;
  }
}

function recordsIn(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(asRecord).filter(record => record !== undefined);
}

function asRecord(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
