/*
 * The journal of a session: plain, numbered facts in the past tense. The core emits them, the recorder
 * appends them to disk, the panel and headless runs show them. Everything else is a fold over them.
 */

import type { Ask, FileDiff } from './asks.ts';
import type { FoundLoop, ReachedBudget } from './budgets.ts';
import type { CheckpointTaken, FileWritten, ReviewChanged, RewindUndone, SessionRewound } from './changes.ts';
import type {
  CompressionApplied,
  CompressionEnded,
  CompressionProposed,
  CompressionStarted,
  CompressionUndone,
  PinChanged,
} from './compression.ts';
import type { HookEnded, HookStarted } from './hooks.ts';
import type { Intention } from './intentions.ts';
import type { MentionsRead } from './mentions.ts';
import type { WantedBack } from './origin.ts';
import type { PlanDecided, PlanWritten } from './plans.ts';
import type { PromptChanged, PromptQueued, PromptUnqueued } from './queue.ts';
import type { Report } from './reports.ts';
import type { ModelAsked, ModelDecided, ModelRouted } from './routing.ts';
import type { SessionRenamed } from './sessions.ts';

export type SessionEvent = SessionEventBody & {
  /** Position among the session's events, from 1. The journal leaves some out: it rises there, with gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

export type SessionEventBody =
  | SessionStarted
  | SessionResumed
  | SessionRenamed
  | ModeChanged
  | ModelChanged
  | ModelRouted
  | ModelAsked
  | ModelDecided
  | TurnStarted
  | TurnRetried
  | TurnEnded
  | MentionsRead
  | ChapterStarted
  | ChapterRenamed
  | StepStarted
  | StepRetried
  | StepEnded
  | SideAsked
  | TextAppended
  | ThoughtAppended
  | CallRequested
  | CallAsked
  | CallDecided
  | CallStarted
  | CallOutput
  | CallEnded
  | TodosChanged
  | CheckpointTaken
  | FileWritten
  | ReviewChanged
  | SessionRewound
  | RewindUndone
  | CompressionStarted
  | CompressionProposed
  | CompressionApplied
  | CompressionEnded
  | CompressionUndone
  | PinChanged
  | PromptQueued
  | PromptChanged
  | PromptUnqueued
  | HookStarted
  | HookEnded
  | PlanWritten
  | PlanDecided
  | MessageAdded
  | NoticeShown;

export interface SessionStarted {
  readonly type: 'session.started';
  readonly sessionId: string;
  /** Absolute workspace folders, the first is where commands run. */
  readonly folders: readonly string[];
  readonly model: string;
  readonly mode: ApprovalMode;
}

/** The journal was read back after a reload or a crash; open work was closed before this event. */
export interface SessionResumed {
  readonly type: 'session.resumed';
}

export interface ModeChanged {
  readonly type: 'mode.changed';
  readonly mode: ApprovalMode;
}

export interface ModelChanged {
  readonly type: 'model.changed';
  readonly model: string;
}

export interface TurnStarted {
  readonly type: 'turn.started';
  readonly turnId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The waiting prompt that this is; it waits no longer. */
  readonly queuedAs?: string;
  /** What the model reads in place of the text. */
  readonly wording?: string;
}

/** A turn that had failed or was stopped goes on. */
export interface TurnRetried {
  readonly type: 'turn.retried';
  readonly turnId: string;
}

export interface TurnEnded {
  readonly type: 'turn.ended';
  readonly turnId: string;
  readonly end: TurnEnd;
  /** When it was last at work, of one that an interruption had ended long before this event. */
  readonly lastActiveAt?: number;
}

/** Why the agent rests. */
export type TurnEnd =
  | { readonly kind: 'rested' }
  | { readonly kind: 'stopped' }
  /** `retry` grants the same amount once more. */
  | { readonly kind: 'budget'; readonly budget: ReachedBudget }
  /** `retry` goes on without looking for loops. */
  | { readonly kind: 'loop'; readonly loop: FoundLoop }
  /** A hook ended the agent's work. */
  | { readonly kind: 'hook'; readonly reason: string }
  | { readonly kind: 'failed'; readonly trouble: Trouble };

/** Something that a person must know: what happened, then what to do. */
export interface Trouble {
  /** A stable word for code and tests, for example `auth`, `quota`, `network`. */
  readonly kind: string;
  /** One or two sentences for the person. */
  readonly message: string;
  /** What the panel offers beside Retry. */
  readonly remedy?: 'setKey' | 'selectModel' | 'openSettings' | 'compress';
}

export interface ChapterStarted {
  readonly type: 'chapter.started';
  readonly chapterId: string;
  readonly title: string;
  /** Closes the chapter before this one. */
  readonly previousSummary?: string;
}

export interface ChapterRenamed {
  readonly type: 'chapter.renamed';
  readonly chapterId: string;
  readonly title: string;
}

export interface StepStarted {
  readonly type: 'step.started';
  readonly stepId: string;
  /** From 1 within the turn. */
  readonly number: number;
  readonly model: string;
}

/** The answer so far is void; its text and thoughts are discarded. */
export interface StepRetried {
  readonly type: 'step.retried';
  readonly stepId: string;
  readonly reason: string;
  /** Another model answers from here on. */
  readonly model?: string;
  /** The number of the attempt that follows, from 2. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
}

export interface StepEnded {
  readonly type: 'step.ended';
  readonly stepId: string;
  readonly usage?: Usage;
  /** US dollars; absent where no price is known. */
  readonly cost?: number;
  readonly finish: string;
  readonly citations: readonly Citation[];
}

/** The model answered a question beside the conversation: nothing of it is in the history, but it was spent. */
export interface SideAsked {
  readonly type: 'side.asked';
  readonly purpose: 'summary' | 'loop' | 'nextSpeaker' | 'route' | 'edit';
  readonly model: string;
  readonly usage: Usage;
  /** US dollars; absent where no price is known. */
  readonly cost?: number;
}

/** Tokens as the provider counts them. */
export interface Usage {
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
  readonly thoughts: number;
}

export interface Citation {
  readonly uri: string;
  readonly title?: string;
}

export interface TextAppended {
  readonly type: 'text.appended';
  readonly stepId: string;
  readonly text: string;
}

export interface ThoughtAppended {
  readonly type: 'thought.appended';
  readonly stepId: string;
  readonly text: string;
}

export interface CallRequested {
  readonly type: 'call.requested';
  readonly callId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly effect: Effect;
  /** One line that makes sense alone: `Read src/invoice.ts`. */
  readonly title: string;
  /** Arguments as the model gave them, long strings cut. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a call does to the world. Readers run side by side, everything else alone and in order. */
export type Effect = 'read' | 'edit' | 'run' | 'fetch' | 'note';

export interface CallAsked {
  readonly type: 'call.asked';
  readonly callId: string;
  readonly ask: Ask;
}

export interface CallDecided {
  readonly type: 'call.decided';
  readonly callId: string;
  readonly decision: DecisionKind;
  /** What the person wrote when denying. */
  readonly reason?: string;
}

export type DecisionKind = 'once' | 'always' | 'edited' | 'hunks' | 'answers' | 'plan' | 'deny';

export interface CallStarted {
  readonly type: 'call.started';
  readonly callId: string;
}

/** Live output of a running call, a delta. */
export interface CallOutput {
  readonly type: 'call.output';
  readonly callId: string;
  readonly text: string;
}

export interface CallEnded {
  readonly type: 'call.ended';
  readonly callId: string;
  readonly outcome: OutcomeKind;
  readonly display: Display;
  readonly durationMs: number;
}

export type OutcomeKind = 'ok' | 'failed' | 'denied' | 'cancelled';

/** What the person sees of an ended call; the model gets a text of its own. */
export interface Display {
  /** One line: `42 lines`, `Exit code 1`, `3 matches in 2 files`. */
  readonly summary: string;
  /** Files that a command changed. */
  readonly touched?: readonly FileCounts[];
  /** What a rewind will not put back, one sentence. */
  readonly uncovered?: string;
  readonly detail?: DisplayDetail;
}

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

export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

export interface TodosChanged {
  readonly type: 'todos.changed';
  readonly todos: readonly Todo[];
}

/**
 * One message of the history that the model sees, whole, so that the journal alone can restore it; there without
 * secrets of known formats.
 * The panel does not need it.
 */
export interface MessageAdded {
  readonly type: 'message.added';
  readonly message: Message;
}

export interface Message {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
  /** The user's, said while the agent worked: it goes along with the results before it. */
  readonly meanwhile?: true;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly signature?: string }
  | ({ readonly kind: 'thought'; readonly text: string } & WantedBack)
  | ({
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
    } & WantedBack)
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly name: string;
      readonly ok: boolean;
      readonly text: string;
      /** Binary content that belongs to the result. */
      readonly blobs?: readonly Blob[];
    }
  | { readonly kind: 'blob'; readonly blob: Blob };

export interface Blob {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface NoticeShown {
  readonly type: 'notice.shown';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

export type ApprovalMode = Intention<'mode.set'>['mode'];

export type Attachment = Intention<'prompt.send'>['attachments'][number];
