import * as z from 'zod';
import type { SessionEvent } from '../../../protocol/events.ts';
import { events } from '../../../protocol/eventTable.ts';
import { type AgentEvent, type EmittedEvent, isOfAgent } from '../../../protocol/fold/agents.ts';
import { later } from '../../../protocol/later.ts';
import { isRecord } from '../../base/record.ts';

/** One line of a journal, of this version or an earlier one; undefined when it is no event. */
export function parseLine(line: string): EmittedEvent | undefined {
  const reported = parseWhole(line);
  if (reported) return reported;
  // Behind one that was torn, when the system fell over, the next one may stand whole.
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
  let value: unknown;
  try {
    // An editor that saved the file may have put a mark before it, and the first line names the session.
    value = JSON.parse(line.startsWith('\uFEFF') ? line.slice(1) : line);
  } catch {
    // Counted as unreadable by the caller.
    return undefined;
  }
  return parseReported(value);
}

/** The parsed line of a journal; undefined when it is no event. */
export function parseReported(value: unknown): EmittedEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { seq, at, type } = value as { seq?: unknown; at?: unknown; type?: unknown };
  if (!isNumber(seq) || !isTime(at) || typeof type !== 'string') return undefined;
  return type === 'agent.event' ? unwrapAgent(value as object) : checked(value as SessionEvent);
}

/** The same of the session's own events alone. */
export function parseEvent(line: string): SessionEvent | undefined {
  const reported = parseLine(line);
  return reported && !isOfAgent(reported) ? reported : undefined;
}

/**
 * Earlier versions wrote the work of subagents into the journal of their session, each event inside of another one that
 * had its number and time. It had none of the same kind inside, or a line could be nested without end.
 */
function unwrapAgent(line: object): EmittedEvent | undefined {
  const { callId, agent, event, seq, at } = line as Readonly<Record<string, unknown>>;
  if (typeof callId !== 'string' || typeof agent !== 'string') return undefined;
  if (!isRecord(event) || typeof event.type !== 'string' || event.type === 'agent.event') return undefined;
  const own = checked({ ...event, seq, at } as unknown as SessionEvent);
  return own && { callId, agent, event: own };
}

/** The line of an event of a subagent among events of its session. */
export function wrappedAgent({ callId, agent, event }: AgentEvent): string {
  const { seq, at, ...body } = event;
  return JSON.stringify({ type: 'agent.event', callId, agent, event: body, seq, at });
}

function checked(value: SessionEvent): SessionEvent | undefined {
  const event = completed(value);
  const hasShape = checks().get(event.type);
  return !hasShape || hasShape(event) ? event : undefined;
}

/** With room above it: whatever continues behind a number that is far too high must still be numbered. */
function isNumber(seq: unknown): boolean {
  return Number.isSafeInteger(seq) && (seq as number) < 2 ** 52;
}

/** A number beyond the calendar cannot be shown as a time. */
function isTime(at: unknown): boolean {
  return typeof at === 'number' && Math.abs(at) <= 8.64e15;
}

/** False for what a later version of Folio wrote. */
export function isKnown({ type }: SessionEvent): boolean {
  return checks().has(type);
}

/** With what earlier versions did not write yet. */
function completed(event: SessionEvent): SessionEvent {
  return event.type === 'session.rewound' ? { ...emptyRewind, ...event } : event;
}

const emptyRewind = { todos: [], reviews: [] };

/** A bit that fell over on the disk may have changed a name or a word, and a fold that stumbles loses the session. */
const checks = later(
  (): ReadonlyMap<string, (event: SessionEvent) => boolean> =>
    new Map(Object.entries(events()).map(([type, row]) => [type, checkOf(row)])),
);

/** Made into code when the first event of its type is read. */
function checkOf(row: z.ZodType): (event: SessionEvent) => boolean {
  const check = later(() => z.compile(row));
  return event => z.validate(check(), event);
}
