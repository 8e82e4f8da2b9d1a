/*
 * Lines of a recording, one JSON object each. A request refers to messages shared with an earlier one, so that long
 * sessions are not repeated at each step:
 *
 *   {"type":"request","n":1,"model":"…","system":"…","tools":[…],"messages":[…]}
 *   {"type":"answer","n":1,"events":[…],"end":{…}}
 *   {"type":"request","n":2,"model":"…","like":1,"kept":3,"messages":[…]}
 */

import type { Message } from '../../../protocol/events.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import {
  type ModelEnd,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type ToolDeclaration,
} from '../model.ts';

export type TrafficLine = RequestLine | AnswerLine;

export interface RequestLine {
  readonly type: 'request';
  /** Counts from 1; answers refer to it. */
  readonly n: number;
  readonly model: string;
  /** Earlier request with the same system prompt, tools and first messages. */
  readonly like?: number;
  /** Number of that request's messages that precede `messages`. */
  readonly kept?: number;
  readonly system?: string;
  readonly tools?: readonly ToolDeclaration[];
  readonly messages: readonly Message[];
}

export interface AnswerLine {
  readonly type: 'answer';
  readonly n: number;
  readonly events: readonly Exclude<ModelEvent, { type: 'end' }>[];
  readonly end: RecordedEnd;
}

type RecordedEnd = Extract<ModelEnd, { ok: true }> | { readonly ok: false; readonly error: RecordedError };

interface RecordedError {
  readonly kind: ModelErrorKind;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
}

export function toRecordedEnd(end: ModelEnd): RecordedEnd {
  if (end.ok) return end;
  const { kind, english: message, retryable, retryAfterMs, status } = end.error;
  return { ok: false, error: { kind, message, retryable, retryAfterMs, status } };
}

export function toModelEnd(end: RecordedEnd): ModelEnd {
  if (end.ok) return end;
  const { kind, message } = end.error;
  return { ok: false, error: new ModelError(kind, () => message, end.error) };
}

/** Throws with the number of the first invalid line. */
export function parseTraffic(text: string): readonly TrafficLine[] {
  const lines: TrafficLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseLine(line);
    if (parsed === undefined) throw new TrafficError(`Line ${index + 1} is no line of a recording.`);
    lines.push(parsed);
  }
  return lines;
}

/** The file is no recording; the message tells where it is invalid. */
export class TrafficError extends Error {}

function parseLine(line: string): TrafficLine | undefined {
  const value = tryParseJson(line);
  if (!isRecord(value) || !Number.isInteger(value.n)) return undefined;
  const isRequest = value.type === 'request' && Array.isArray(value.messages);
  const isAnswer =
    value.type === 'answer' &&
    Array.isArray(value.events) &&
    isRecord(value.end) &&
    (value.end.ok === true ? isRecord(value.end.message) : isRecord(value.end.error));
  return isRequest || isAnswer ? (value as unknown as TrafficLine) : undefined;
}
