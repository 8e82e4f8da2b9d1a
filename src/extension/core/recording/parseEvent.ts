import * as z from 'zod';
import type { SessionEvent } from '../../../protocol/events.ts';
import { eventSchemas } from '../../../protocol/eventTable.ts';
import { type AgentEvent, type EmittedEvent, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';

/** Parses a line of a journal of this or an earlier version; undefined if it is no event. */
export function parseJournalLine(line: string): EmittedEvent | undefined {
  const reported = parseWhole(line);
  if (reported) return reported;
  // After a power failure, a complete line may follow a torn one directly.
  let start = line.indexOf(lineStart, 1);
  for (let tried = 0; start > 0 && tried < maxTried; tried++) {
    const behind = parseWhole(line.slice(start));
    if (behind) return behind;
    start = line.indexOf(lineStart, start + 1);
  }
  return undefined;
}

const maxTried = 20;

const lineStart = '{"type":"';

function parseWhole(line: string): EmittedEvent | undefined {
  // An editor may have added a byte-order mark before the first line.
  return validateEvent(tryParseJson(line.startsWith('\uFEFF') ? line.slice(1) : line));
}

/** Validates a parsed line; undefined if it is no event. */
export function validateEvent(value: unknown): EmittedEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { seq, at, type } = value as { seq?: unknown; at?: unknown; type?: unknown };
  if (!isNumber(seq) || !isTime(at) || typeof type !== 'string') return undefined;
  return type === 'agent.event' ? unwrapAgent(value as object) : checked(value as SessionEvent);
}

/** Parses a line of a journal; `undefined` for a subagent's event, or if it is no event. */
export function parseEvent(line: string): SessionEvent | undefined {
  const reported = parseJournalLine(line);
  return reported && !isAgentEvent(reported) ? reported : undefined;
}

/**
 * Earlier versions nested events of subagents in the session's journal. Only one level was written, and deeper nesting
 * is rejected.
 */
function unwrapAgent(line: object): EmittedEvent | undefined {
  const { callId, agent, event, seq, at } = line as Readonly<Record<string, unknown>>;
  if (typeof callId !== 'string' || typeof agent !== 'string') return undefined;
  if (!isRecord(event) || typeof event.type !== 'string' || event.type === 'agent.event') return undefined;
  const own = checked({ ...event, seq, at } as unknown as SessionEvent);
  return own && { callId, agent, event: own };
}

/** Formats an event of a subagent as a line among events of its session. */
export function formatAgentLine({ callId, agent, event }: AgentEvent): string {
  const { seq, at, ...body } = event;
  return JSON.stringify({ type: 'agent.event', callId, agent, event: body, seq, at });
}

function checked(value: SessionEvent): SessionEvent | undefined {
  const event = completed(value);
  const hasShape = checks().get(event.type);
  return !hasShape || hasShape(event) ? event : undefined;
}

/** Leaves room above, so that numbering can continue. */
function isNumber(seq: unknown): boolean {
  return Number.isSafeInteger(seq) && (seq as number) < 2 ** 52;
}

/** Later times are invalid dates. */
function isTime(at: unknown): boolean {
  return typeof at === 'number' && Math.abs(at) <= 8.64e15;
}

/** False for events of a later version of Folio. */
export function isKnownEvent({ type }: SessionEvent): boolean {
  return checks().has(type);
}

/** Adds members that earlier versions did not write. */
function completed(event: SessionEvent): SessionEvent {
  return event.type === 'session.rewound' ? { ...emptyRewind, ...event } : event;
}

const emptyRewind = { todos: [], reviews: [] };

/** Validates events, since damaged data could make a fold fail and lose the session. */
const checks = lazySchema(
  (): ReadonlyMap<string, (event: SessionEvent) => boolean> =>
    new Map(Object.entries(eventSchemas()).map(([type, row]) => [type, checkOf(row)])),
);

/** Compiled when the first event of its type is read. */
function checkOf(row: z.ZodType): (event: SessionEvent) => boolean {
  const check = lazySchema(() => z.compile(row));
  return event => z.validate(check(), event);
}
