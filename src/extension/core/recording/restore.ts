/* Restores a session from its journals, even if it was interrupted. */

import type {
  Message,
  Part,
  QueuedPrompt,
  SessionEvent,
  SessionEventBody,
} from '../../../protocol/events.ts';
import { type EmittedEvent, eventOf, isAgentEvent } from '../../../protocol/fold/agents.ts';
import { reduceWithAgents } from '../../../protocol/fold/reduceAgents.ts';
import { plural } from '../../../protocol/language.ts';
import { type CallItem, emptySession, type SessionState } from '../../../protocol/state.ts';
import { History, unansweredCalls } from '../history/history.ts';
import { RewindIndex } from '../history/places.ts';
import { promptParts } from '../history/promptParts.ts';
import { mergeInOrder } from './mergeInOrder.ts';
import { isKnownEvent, parseJournalLine } from './parseEvent.ts';
import type { ParsedJournal } from './readEvents.ts';
import { callEndEvent, type InterruptedOutputs, type Interruption, rebuiltResult } from './rebuiltResult.ts';
import type { FoldedSession } from './transcript.ts';
import {
  type ClosedAgent,
  compressionClosingEvents,
  hookClosingEvents,
  itemsOf,
  workClosingEvents,
} from './workClosingEvents.ts';

/** The result of reading a session's journals. */
export interface LoadedSession extends FoldedSession {
  /** All events in order. */
  readonly reported: readonly EmittedEvent[];
  /** The session's own events among them. */
  readonly events: readonly SessionEvent[];
  /** The messages as the model reads them. */
  readonly messages: readonly Message[];
  /** Number of unreadable lines, which stay in the journal. */
  readonly unreadable: number;
  /** Number of events from a later version, which stay in the journal, too. */
  readonly unknown: number;
}

export interface RestoredSession extends LoadedSession {
  /** Events that close open work; empty if nothing was open. */
  readonly closing: readonly SessionEventBody[];
}

/** @param lines of the session's journal */
export function restoreSession(lines: readonly string[]): RestoredSession {
  const read = readSession([lines.map(parseJournalLine)]);
  return { ...read, closing: sessionClosingEvents(read) };
}

export function readSession(journals: readonly ParsedJournal[]): LoadedSession {
  let state = emptySession;
  let unknown = 0;
  const reported: EmittedEvent[] = [];
  const history = new History();
  const places = new RewindIndex();
  const ordered = mergeInOrder(journals.map(lines => lines.filter(line => line !== undefined)));
  let unreadable = journals.flat().length - ordered.length;
  for (const each of ordered) {
    const next = foldedOver(state, each);
    if (!next) {
      unreadable++;
      continue;
    }
    // Its number counts, even if nothing else is understood.
    state = next;
    if (!isKnownEvent(eventOf(each))) {
      unknown++;
      continue;
    }
    reported.push(each);
    if (isAgentEvent(each)) continue;
    places.fold(each, history.whole.length, state);
    history.fold(each, state.answering);
  }
  const events = reported.flatMap(each => (isAgentEvent(each) ? [] : [each]));
  return { state, history, places, reported, events, messages: history.messages, unreadable, unknown };
}

/**
 * Returns the events that end what was open at the end of the journals.
 * @param printed live output of open calls
 */
export function sessionClosingEvents(
  read: LoadedSession,
  printed?: InterruptedOutputs,
): readonly SessionEventBody[] {
  return [
    ...closeOpenWork(read, printed),
    ...closeWaiting(read),
    ...closePrograms(read),
    ...describeGaps(read),
  ];
}

/** Commands end with their window. One that still runs here reports so once its session is open. */
function closeWaiting({ state }: LoadedSession): readonly SessionEventBody[] {
  return callItems(state).flatMap(({ id: callId, status }) =>
    status.kind === 'ended' && status.waits ? [{ type: 'call.waited', callId, waits: false }] : [],
  );
}

/** Programs still running in this host report so once the session is open. */
function closePrograms({ state: { programs = [] } }: LoadedSession): readonly SessionEventBody[] {
  return programs.map(({ id: callId }) => ({ type: 'program.changed', callId }));
}

/** Returns the events that end running subagents. They come before those of the session. */
export function agentClosingEvents(
  read: LoadedSession,
  printed?: InterruptedOutputs,
): readonly ClosedAgent[] {
  const cut = cutOf(read, printed);
  return callItems(read.state).flatMap(({ id: callId, agent }) => {
    const events = agent ? workClosingEvents(agent.session, cut) : [];
    // The end of the call may be recorded without the end of the agent's work.
    return agent && events.length > 0 ? [{ callId, agent, events }] : [];
  });
}

function cutOf({ reported }: LoadedSession, printed: InterruptedOutputs | undefined): Interruption {
  const last = reported.at(-1);
  // The time since then is not working time.
  return { cause: 'the end of Folio', lastActiveAt: last && eventOf(last).at, printed };
}

/** Returns calls, including those of subagents, that had no end or whose results were not recorded. */
export function callsWithoutResult({ state, messages }: LoadedSession): readonly string[] {
  const within = callItems(state).flatMap(call => [
    call,
    ...(call.agent ? callItems(call.agent.session) : []),
  ]);
  const open = within.filter(({ status }) => status.kind !== 'ended');
  return [...new Set([...open, ...unansweredCalls(messages)].map(({ id }) => id))];
}

/** Valid JSON may still break the promise of its type, for example with a former shape. */
function foldedOver(state: SessionState, reported: EmittedEvent): SessionState | undefined {
  try {
    return reduceWithAgents(state, reported);
  } catch {
    // The caller counts it as unreadable.
    return undefined;
  }
}

/** One sentence per kind of gap, reported once per journal. */
function describeGaps({ unreadable, unknown, events }: LoadedSession): readonly SessionEventBody[] {
  const damaged = plural(
    unreadable,
    'one: {0} line of this session could not be read and is left out. Nothing was deleted: the file of the session still has it. | other: {0} lines of this session could not be read and are left out. Nothing was deleted: the file of the session still has them.',
  );
  const newer = plural(
    unknown,
    'one: {0} event of this session was written by a newer version of Folio and is left out. Update Folio to see it. | other: {0} events of this session were written by a newer version of Folio and are left out. Update Folio to see them.',
  );
  const texts = [...(unreadable > 0 ? [damaged] : []), ...(unknown > 0 ? [newer] : [])];
  const reported = new Set(events.map(event => (event.type === 'notice.shown' ? event.text : undefined)));
  return texts
    .filter(text => !reported.has(text))
    .map(text => ({ type: 'notice.shown', level: 'warning', text }) as const);
}

function closeOpenWork(read: LoadedSession, printed?: InterruptedOutputs): readonly SessionEventBody[] {
  const { state, messages, events } = read;
  const cut = cutOf(read, printed);
  const { lastActiveAt } = cut;
  const closing = [...openCallClosingEvents(state, messages, cut)];
  closing.push(...hookClosingEvents(state));
  const { activity } = state;
  if (activity.status !== 'resting') {
    closing.push(...lostPrompt(events, activity.turnId), ...lostSteering(events));
    closing.push({ type: 'turn.ended', turnId: activity.turnId, end: { kind: 'stopped' }, lastActiveAt });
  }
  // A compression that waits for a decision keeps waiting.
  closing.push(...compressionClosingEvents(state));
  if (closing.length > 0) closing.push({ type: 'session.resumed' });
  return closing;
}

/** A prompt becomes a message after its mentions are read. This recovers one that was interrupted before. */
function lostPrompt(events: readonly SessionEvent[], turnId: string): readonly SessionEventBody[] {
  const index = events.findLastIndex(event => event.type === 'turn.started' && event.turnId === turnId);
  const started = events[index];
  if (started?.type !== 'turn.started') return [];
  if (events.slice(index).some(event => event.type === 'message.added')) return [];
  return [{ type: 'message.added', message: { role: 'user', parts: partsOf(started) } }];
}

/** Recovers a prompt that should steer the turn, if its message is missing. */
function lostSteering(events: readonly SessionEvent[]): readonly SessionEventBody[] {
  const index = events.findLastIndex(
    event => event.type === 'prompt.unqueued' && event.because === 'steered',
  );
  const taken = events[index];
  if (taken?.type !== 'prompt.unqueued') return [];
  if (events.slice(index).some(event => event.type === 'message.added')) return [];
  const waited = events.findLast(
    event =>
      (event.type === 'prompt.queued' || event.type === 'prompt.changed') && event.prompt.id === taken.id,
  );
  if (waited?.type !== 'prompt.queued' && waited?.type !== 'prompt.changed') return [];
  const message: Message = { role: 'user', parts: partsOf(waited.prompt), meanwhile: true };
  return [{ type: 'message.added', message }];
}

/** Omits mentions, which the model can read itself. */
function partsOf({ text, wording = text, attachments }: LostPrompt): readonly Part[] {
  return promptParts({ text: wording, attachments, editorContext: [], parts: [] });
}

type LostPrompt = Pick<QueuedPrompt, 'text' | 'attachments' | 'wording'>;

/** Returns the events that end all open calls and add their results to the history. */
export function openCallClosingEvents(
  state: SessionState,
  messages: readonly Message[],
  cut: Interruption,
): readonly SessionEventBody[] {
  const calls = callItems(state);
  const unanswered = unansweredCalls(messages);
  const known = new Map(calls.map(call => [call.id, call]));
  const parts = unanswered.map(call => rebuiltResult(call, known.get(call.id), cut));
  const ends = calls.filter(({ status }) => status.kind !== 'ended').map(call => callEndEvent(call, cut));
  if (parts.length === 0) return ends;
  return [...ends, { type: 'message.added', message: { role: 'user', parts } }];
}

function callItems(state: SessionState): readonly CallItem[] {
  return itemsOf(state).filter(item => item.type === 'call');
}
