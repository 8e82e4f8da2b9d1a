/*
 * The journal of a session: plain, numbered facts in the past tense. The core emits them, the recorder
 * appends them to disk, the panel and headless runs show them. Everything else is a fold over them.
 * Each is a row of `eventTable.ts`; what is made of several of their members has its type here.
 */

import type { FileDiff } from './asks.ts';
import type { events } from './eventTable.ts';
import type { Intention } from './intentions.ts';
import type { Report } from './reports.ts';
import type { RowOf } from './table.ts';

export type EventType = keyof typeof events;

/** Of one type, of several, or any. */
export type SessionEvent<T extends EventType = EventType> = SessionEventBody<T> & {
  /** Position among the session's events, from 1. The journal leaves some out: it rises there, with gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

export type SessionEventBody<T extends EventType = EventType> = { [K in T]: RowOf<(typeof events)[K]> }[T];

/** Why the agent rests. */
export type TurnEnd = SessionEventBody<'turn.ended'>['end'];

/** Something that a person must know: what happened, then what to do. */
export interface Trouble {
  /** A stable word for code and tests, for example `auth`, `quota`, `network`. */
  readonly kind: string;
  /** One or two sentences for the person. */
  readonly message: string;
  /** What the panel offers beside Retry. */
  readonly remedy?: 'setKey' | 'selectModel' | 'openSettings' | 'compress';
}

/** Tokens as the provider counts them. */
export type Usage = SessionEventBody<'side.asked'>['usage'];

export interface Citation {
  readonly uri: string;
  readonly title?: string;
}

/** What a call does to the world. Readers run side by side, everything else alone and in order. */
export type Effect = 'read' | 'edit' | 'run' | 'fetch' | 'note';

export type DecisionKind = SessionEventBody<'call.decided'>['decision'];

export type OutcomeKind = SessionEventBody<'call.ended'>['outcome'];

/** What the person sees of an ended call; the model gets a text of its own. */
export type Display = SessionEventBody<'call.ended'>['display'];

export interface FileCounts {
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

export type DisplayDetail =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly outputPath?: string;
    }
  | { readonly kind: 'diff'; readonly diff: FileDiff }
  | {
      readonly kind: 'command';
      readonly exitCode: number | null;
      readonly output: string;
      readonly outputPath?: string;
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** What a subagent handed in. Earlier versions told it as a text. */
  | { readonly kind: 'report'; readonly report: Report };

export type Todo = SessionEventBody<'todos.changed'>['todos'][number];

export type Message = SessionEventBody<'message.added'>['message'];

export type Part = Message['parts'][number];

export type Blob = Extract<Part, { kind: 'blob' }>['blob'];

export type ApprovalMode = Intention<'mode.set'>['mode'];

export type Attachment = Intention<'prompt.send'>['attachments'][number];

/** A prompt that was sent while the agent works. */
export type QueuedPrompt = SessionEventBody<'prompt.queued'>['prompt'];

/** What a provider wants to see again in each request beside what it said. */
export interface WantedBack {
  /** Opaque; goes back to the provider as it came. */
  readonly signature?: string;
  readonly origin?: Origin;
}

/** Where a chat server had it from, so that it gets it back as it came: this server, and nobody else. */
export interface Origin {
  /** The name of the host. */
  readonly server: string;
  /** The member of the server's message that held the text. */
  readonly member?: string;
  /** A call's id there, which may have been replaced here. */
  readonly id?: string;
  /** Members of the server's message or call that are none of ours. */
  readonly sealed?: Readonly<Record<string, unknown>>;
}
