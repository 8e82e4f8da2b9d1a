/*
 * Events of a session: plain, numbered facts in the past tense. The core emits them, the recorder appends them to
 * the journal, the panel and headless runs show them. All state is a fold over them. `eventTable.ts` has a row for
 * each; this file names types that other files share.
 */

import type { eventSchemas } from './eventTable.ts';
import type { RowOf } from './schemaTable.ts';

type Events = ReturnType<typeof eventSchemas>;

type EventType = keyof Events;

/** A session event; `T` narrows its type. */
export type SessionEvent<T extends EventType = EventType> = SessionEventBody<T> & {
  /** Position among the session's events, from 1, ascending. The journal omits events, so it has gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

export type SessionEventBody<T extends EventType = EventType> = { [K in T]: RowOf<Events[K]> }[T];

/** Why the agent rests. */
export type TurnEnd = SessionEventBody<'turn.ended'>['end'];

export type Usage = SessionEventBody<'side.asked'>['usage'];

/** A miss of the provider's cache, with its cause. */
export type CacheLoss = NonNullable<SessionEventBody<'step.ended'>['cacheLoss']>;

/** Classification of a command by a small model. */
export type Classified = SessionEventBody<'call.judged'>['judged'];
export type DecisionKind = SessionEventBody<'call.decided'>['decision'];

export type OutcomeKind = SessionEventBody<'call.ended'>['outcome'];

/** Result of a call for display. The model gets its own text. */
export type Display = SessionEventBody<'call.ended'>['display'];

export type Message = SessionEventBody<'message.added'>['message'];

export type Part = Message['parts'][number];

export type Blob = Extract<Part, { kind: 'blob' }>['blob'];

/** A prompt that was sent while the agent worked. */
export type QueuedPrompt = SessionEventBody<'prompt.queued'>['prompt'];

/** Address, error count and end of a server or watcher that a command left running. */
export type ProgramStatus = NonNullable<SessionEventBody<'program.changed'>['program']>;

/** `id`: id of the call that started the program. */
export type ListedProgram = ProgramStatus & { readonly id: string };
