/* Reads the details that Google's services put into the body of an error, as `unknown`. */

import { tryParseJson } from '../../base/record.ts';
import { parseDuration } from '../wire/retryDelay.ts';

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
  const said = asText(error?.message);
  // Proxies of Google's own put the whole error once more into the message.
  if (said.trimStart().startsWith('{') && asRecord(parseJson(said))?.error) return parseErrorDetails(said);
  const inner = said || text;
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

function findRetryDelay(details: readonly JsonObject[], message: string): number | undefined {
  for (const detail of details) {
    const delay = parseDuration(asText(detail.retryDelay));
    if (delay !== undefined) return delay;
  }
  return parseDuration(/retry in ([\d.]+m?s)/i.exec(message)?.[1] ?? '');
}

function parseJson(text: string): unknown {
  const start = text.indexOf('{');
  return start < 0 ? undefined : tryParseJson(text.slice(start));
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
