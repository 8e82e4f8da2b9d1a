/* Parses a server's error message from `unknown`, because there are as many formats as servers. */

import { fieldsOf, isRecord, textOrEmpty, tryParseJson } from '../../base/record.ts';
import { parseDuration } from './retryDelay.ts';

export interface ErrorBody {
  /** The server's message. Empty if there is none. */
  readonly message: string;
  /**
   * The server's code and type, for example `context_length_exceeded`, joined by spaces. For Google: the reasons in the
   * details, for example `API_KEY_INVALID`, and the ids of exceeded quotas.
   */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The request member that the server named. Empty if none. */
  readonly place: string;
  /** The error is an HTML page, whose text is not meant for API clients. */
  readonly isPage: boolean;
}

/** @param body text of an answer, or the value received in a stream instead of a chunk */
export function parseErrorBody(body: unknown): ErrorBody {
  const json = typeof body === 'string' ? (tryParseJson(body) ?? body) : body;
  // Google's chat completions wrap the error in a list.
  const parsed: unknown = Array.isArray(json) ? json[0] : json;
  const whole = fieldsOf(parsed);
  const error = whole.error ?? parsed;
  const fields = fieldsOf(error);
  const message =
    textOrEmpty(error) ||
    textOrEmpty(fields.message) ||
    textOrEmpty(whole.message) ||
    // Some Amazon endpoints use this spelling.
    textOrEmpty(whole.Message) ||
    detailOf(whole.detail);
  const details = Array.isArray(fields.details) ? fields.details.filter(isRecord) : [];
  const quotas = details.flatMap(({ violations }) => (Array.isArray(violations) ? violations : []));
  const reasons = [...details.map(({ reason }) => reason), ...quotas.map(quota => fieldsOf(quota).quotaId)];
  const codes = [fields.code, fields.type, fields.status, ...reasons].filter(
    code => typeof code === 'string',
  );
  const delay = details.map(({ retryDelay }) => parseDuration(textOrEmpty(retryDelay))).find(Boolean);
  const status = [fields.code, fields.status, fields.status_code, whole.code].find(isStatus);
  const inner = findInner(message, fields);
  return {
    message: inner?.message || message,
    code: [...codes, inner?.code ?? ''].join(' ').trim(),
    status,
    retryAfterMs: delay ?? findDelay(message) ?? inner?.retryAfterMs,
    place: textOrEmpty(fields.param) || placeIn(whole.detail) || (inner?.place ?? ''),
    isPage: typeof parsed === 'string' && /^\s*<(!doctype|html|head|body|h1|\?xml)\b/i.test(parsed),
  };
}

/**
 * A router only reports that an upstream failed; the upstream's error is nested. Google's own proxies repeat the whole
 * error in the message.
 */
function findInner(message: string, fields: Readonly<Record<string, unknown>>): ErrorBody | undefined {
  if (fieldsOf(tryParseJson(message)).error) return parseErrorBody(message);
  const raw = fieldsOf(fields.metadata).raw;
  const isOwn = message !== '' && !/^provider returned error\W*$/i.test(message);
  return isOwn || raw === undefined || raw === null ? undefined : parseErrorBody(raw);
}

/** Matches `try again in 6m0s` or `retry after 1.5s`. */
function findDelay(message: string): number | undefined {
  const [, minutes = '0', rest] =
    /(?:again|retry) (?:in|after) (?:(\d+)m(?!s))?([\d.]+m?s)?/i.exec(message) ?? [];
  const delay = Number(minutes) * 60_000 + (parseDuration(rest ?? '') ?? 0);
  return delay > 0 ? delay : undefined;
}

/** Servers with schema validation send a text, or a list of problems. */
function detailOf(detail: unknown): string {
  if (!Array.isArray(detail)) return textOrEmpty(detail);
  return detail.map(fault => textOrEmpty(fieldsOf(fault).msg)).join('; ');
}

/** For example `["body", "messages", 3, "content", 1]`. */
function placeIn(detail: unknown): string {
  const place = Array.isArray(detail) ? fieldsOf(detail[0]).loc : undefined;
  return Array.isArray(place) ? place.join('.') : '';
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}
