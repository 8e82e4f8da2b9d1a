/*
 * The journal of a session: plain, numbered facts in the past tense. The core emits them, the recorder
 * appends them to disk, the panel and headless runs show them. Everything else is a fold over them.
 * Each is a row of `eventTable.ts`; what is made of several of their members has its type here.
 */

import type { events } from './eventTable.ts';
import type { RowOf } from './table.ts';

type Events = ReturnType<typeof events>;

type EventType = keyof Events;

/** A session event of one type, of several, or of any. */
export type SessionEvent<T extends EventType = EventType> = SessionEventBody<T> & {
  /** Position among the session's events, from 1. The journal leaves some out: it rises there, with gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

export type SessionEventBody<T extends EventType = EventType> = { [K in T]: RowOf<Events[K]> }[T];

/** Why the agent rests. */
export type TurnEnd = SessionEventBody<'turn.ended'>['end'];

/** Tokens as the provider counts them. */
export type Usage = SessionEventBody<'side.asked'>['usage'];

/** The provider's cache could not be used, and by what it was lost. */
export type CacheLoss = NonNullable<SessionEventBody<'step.ended'>['cacheLoss']>;

/** The word of a small model on a command. */
export type Classified = SessionEventBody<'call.judged'>['judged'];
export type DecisionKind = SessionEventBody<'call.decided'>['decision'];

export type OutcomeKind = SessionEventBody<'call.ended'>['outcome'];

/** The user's view of an ended call; the model gets a text of its own. */
export type Display = SessionEventBody<'call.ended'>['display'];

export type Message = SessionEventBody<'message.added'>['message'];

export type Part = Message['parts'][number];

export type Blob = Extract<Part, { kind: 'blob' }>['blob'];

/** A prompt that was sent while the agent works. */
export type QueuedPrompt = SessionEventBody<'prompt.queued'>['prompt'];

/** A server or watcher that a command left running. */
export type Program = NonNullable<SessionEventBody<'program.changed'>['program']>;

/** `id`: of the call that started it. */
export type ListedProgram = Program & { readonly id: string };
