/* The state of a session at one moment: the fold of its events. */

import type { Ask } from './asks.ts';
import type { ReviewedFile, ShelvedFile } from './changes.ts';
import type { CommentThread } from './comments.ts';
import type { CompressionPlan } from './compression.ts';
import type {
  CacheLoss,
  Classified,
  DecisionKind,
  Display,
  ListedProgram,
  OutcomeKind,
  QueuedPrompt,
  TurnEnd,
  Usage,
} from './events.ts';
import type { HookEvent, HookOutcome } from './hooks.ts';
import type { ApprovalMode, Attachment, RewindPoint, RewindScope } from './intentions.ts';
import type { Mention } from './mentions.ts';
import { emptyPages, iterate, type Pages } from './pages.ts';
import type { ModelFailure, RoutedBy } from './routing.ts';
import type { CompressionTrigger, Effect, FileCounts, NewestPlan, RestoredFile, Todo } from './values.ts';
import type { SessionPlace } from './worktree.ts';

export interface SessionState extends SessionPlace {
  /** The newest event that this state includes; 0 before the first. */
  readonly seq: number;
  readonly sessionId: string;
  /** The user's name for it, else the first line of the first prompt. */
  readonly title: string;
  /** The user's choice: a model, or `auto`. */
  readonly model: string;
  /** Which model works on the newest turn, and why; absent before the first was chosen. */
  readonly routed?: Routed;
  readonly mode: ApprovalMode;
  readonly activity: Activity;
  /** In order; the last one is the chapter that grows. Never empty. */
  readonly chapters: readonly Chapter[];
  readonly todos: readonly Todo[];
  /** In the order in which they were started; absent: none was left running. */
  readonly programs?: readonly ListedProgram[];
  /** Sum over all steps and questions beside the conversation. */
  readonly usage: Usage;
  /** US dollars of the same, where the price is known; `undefined` before the first such answer. */
  readonly cost?: number;
  /** US dollars that the provider's cache saved. */
  readonly saved?: number;
  /** The price of some answers is not known, so `cost` is not all. */
  readonly unpriced?: true;
  /** How often the provider's cache was lost, and the newest time. */
  readonly cacheLosses?: { readonly count: number; readonly newest: CacheLoss & { readonly at: number } };
  /** Files that wait for review, in the order of the first change. */
  readonly reviews: readonly ReviewedFile[];
  /** A time in which the agent waited for the user, or waits; milliseconds since the Unix epoch. */
  readonly newestWait?: Readonly<{ from: number; until?: number }>;
  /** Files of which changes may come back to wait, as on another branch. */
  readonly shelved: readonly ShelvedFile[];
  /** In the order in which they were begun. */
  readonly comments: readonly CommentThread[];
  /** The newest rewind, as long as it can be undone. */
  readonly rewound?: Rewound;
  /** The compression that is being made, or waits for a user's decision. */
  readonly compression?: OpenCompression;
  /** Compressions in force, oldest first; each replaces more of the history than the one before. */
  readonly compressions: readonly Compression[];
  /** The newest attempt failed, or a user undid an automatic one: no automatic ones until one succeeds. */
  readonly compressionPaused: boolean;
  /** Prompts that wait, in the order in which they will be sent. */
  readonly queue: readonly QueuedPrompt[];
  readonly plan?: NewestPlan;
  /** Turns and steps whose prompt or answer is never compressed. */
  readonly pins: readonly string[];
  /** Tokens of the newest request and its answer, as the provider counted them; 0 before the first. */
  readonly contextTokens: number;
  /** The spending of the turn that runs; its prompt gets it when the turn ends. */
  readonly spending?: TurnSpent;
  /** The model that was asked for the newest answer. */
  readonly answering?: string;
}

export interface Routed {
  readonly turnId: string;
  readonly model: string;
  readonly by: RoutedBy;
  readonly reason?: string;
}

export type OpenCompression =
  | {
      readonly status: 'running';
      readonly id: string;
      readonly trigger: CompressionTrigger;
      /** Milliseconds since the Unix epoch. */
      readonly since: number;
    }
  | {
      readonly status: 'proposed';
      readonly id: string;
      readonly trigger: CompressionTrigger;
      readonly plan: CompressionPlan;
    };

export interface Compression {
  readonly id: string;
  readonly trigger: CompressionTrigger;
  readonly plan: CompressionPlan;
}

/** The parts of the session that a rewind took away. */
export interface Rewound {
  readonly rewindId: string;
  readonly to: RewindPoint;
  readonly scope: RewindScope;
  readonly files: readonly RestoredFile[];
  readonly chapters: readonly Chapter[];
  readonly todos: readonly Todo[];
  readonly contextTokens: number;
  readonly compressions: readonly Compression[];
  readonly plan?: NewestPlan;
  readonly comments: readonly CommentThread[];
}

export type Activity =
  | { readonly status: 'resting' }
  | { readonly status: 'working'; readonly turnId: string; readonly since: number }
  | { readonly status: 'waiting'; readonly turnId: string; readonly since: number; readonly callId: string }
  | {
      readonly status: 'retrying';
      readonly turnId: string;
      readonly since: number;
      readonly reason: string;
      readonly attempt: number;
      readonly maxAttempts: number;
      /** Milliseconds since the Unix epoch. */
      readonly until: number;
    }
  /** The model failed, and the user decides whether another takes over. */
  | {
      readonly status: 'choosing';
      readonly turnId: string;
      readonly since: number;
      readonly failure: ModelFailure;
    };

export interface Chapter {
  readonly id: string;
  /** From 1; 0 for the opening of a session, whose title is empty. */
  readonly number: number;
  readonly title: string;
  readonly summary?: string;
  readonly status: 'live' | 'done';
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly items: Pages<Item>;
  /** Changes that were not undone. */
  readonly files: readonly FileCounts[];
  /** Files of which a rewind undid changes; absent: none. */
  readonly undone?: number;
  readonly calls: number;
  readonly usage: Usage;
  /** US dollars of the steps whose price is known. */
  readonly cost?: number;
  readonly saved?: number;
  readonly unpriced?: true;
  /** Milliseconds that the agent worked in it, up to the newest wait, end of a turn or end of the chapter. */
  readonly activeMs: number;
  /** Milliseconds that it waited for the user, up to the end of the newest wait. */
  readonly waitedMs?: number;
}

export type Item =
  | PromptItem
  | TextItem
  | ThoughtItem
  | CallItem
  | NoticeItem
  | CompressionItem
  | HookItem
  | EndItem;

export interface PromptItem {
  readonly type: 'prompt';
  /** The turn's id. */
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentions?: readonly Mention[];
  /** Told to the model while it worked: it began no turn, so there is no going back to it. Its id is the waiting prompt's. */
  readonly steered?: true;
  readonly at: number;
  /** The spending of its turn, once that has ended. */
  readonly spent?: TurnSpent;
}

export interface TurnSpent {
  readonly steps: number;
  readonly usage: Usage;
  /** US dollars of the answers whose price is known. */
  readonly cost?: number;
  readonly saved?: number;
  readonly unpriced?: true;
  /** Models that answered, in order, without repetitions. */
  readonly models?: readonly string[];
}

export interface TextItem {
  readonly type: 'text';
  readonly id: string;
  readonly stepId: string;
  readonly text: string;
}

export interface ThoughtItem {
  readonly type: 'thought';
  readonly id: string;
  readonly stepId: string;
  readonly text: string;
}

export interface CallItem {
  readonly type: 'call';
  readonly id: string;
  readonly stepId: string;
  readonly tool: string;
  readonly effect: Effect;
  /** In English, for models and exports. */
  readonly title: string;
  /** In the user's language, where that is another. */
  readonly said?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** A small model was heard on it before a user. */
  readonly judged?: Classified;
  readonly decided?: Readonly<{ decision: DecisionKind; reason?: string; lasting?: Ask['always'][number] }>;
  /** It ran already when it asked, so that it may have had effects. */
  readonly askedAtWork?: true;
  /** As it ran when it asked, with what it has printed since: it continues with that. */
  readonly work?: Extract<CallStatus, { kind: 'running' }>;
  /** Files of which a rewind undid its changes. */
  readonly undone?: readonly string[];
  /** For a call that sent out a subagent: its work so far. */
  readonly agent?: AgentRun;
  readonly status: CallStatus;
}

export interface AgentRun {
  readonly name: string;
  /** Its work, folded like a session; all in one chapter, since it opens none. */
  readonly session: SessionState;
}

export type CallStatus =
  | { readonly kind: 'validating' }
  | { readonly kind: 'asking'; readonly ask: Ask }
  | { readonly kind: 'scheduled' }
  | {
      readonly kind: 'running';
      readonly startedAt: number;
      readonly output: string;
      /** Its program waits for the user to type. */
      readonly waits?: boolean;
      /** The earlier call that started that program, whose terminal it has; absent: this one did. */
      readonly startedBy?: string;
      /** A command without a terminal, which the user may have run again in one to answer it. */
      readonly canRestart?: boolean;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: OutcomeKind;
      readonly display: Display;
      readonly durationMs: number;
      /** Its program came back to the model and waits for the user to type. */
      readonly waits?: boolean;
      /** As of a call that runs. */
      readonly startedBy?: string;
    };

export interface NoticeItem {
  readonly type: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

export interface HookItem {
  readonly type: 'hook';
  readonly id: string;
  readonly event: HookEvent;
  readonly name: string;
  readonly callId?: string;
  readonly status:
    | { readonly kind: 'running'; readonly startedAt: number }
    | {
        readonly kind: 'ended';
        readonly outcome: HookOutcome;
        readonly summary: string;
        readonly output: string;
        readonly durationMs: number;
      };
}

/** Stands where a compression took effect, also after it was undone. */
export interface CompressionItem {
  readonly type: 'compression';
  /** The compression's id. */
  readonly id: string;
  readonly trigger: CompressionTrigger;
  /** Titled chapters with summarised messages. */
  readonly chapters: number;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly undone?: true;
}

/** Shown when a turn did not simply come to rest. */
export interface EndItem {
  readonly type: 'end';
  readonly id: string;
  readonly end: Exclude<TurnEnd, { kind: 'rested' }>;
}

export const noUsage: Usage = { prompt: 0, cached: 0, output: 0, thoughts: 0 };

export const emptySession: SessionState = {
  seq: 0,
  sessionId: '',
  folders: [],
  title: '',
  model: '',
  mode: 'default',
  activity: { status: 'resting' },
  chapters: [
    {
      id: 'opening',
      number: 0,
      title: '',
      status: 'live',
      startedAt: 0,
      items: emptyPages,
      files: [],
      calls: 0,
      usage: noUsage,
      activeMs: 0,
    },
  ],
  todos: [],
  reviews: [],
  shelved: [],
  comments: [],
  compressions: [],
  compressionPaused: false,
  queue: [],
  pins: [],
  usage: noUsage,
  contextTokens: 0,
};

/** The chapter that grows. */
export function liveChapter<C>(state: { readonly chapters: readonly C[] }): C {
  return state.chapters[state.chapters.length - 1]!;
}

type MaybeCall =
  | { readonly type: 'call'; readonly status: { readonly kind: string; readonly waits?: boolean } }
  | { readonly type: 'end'; readonly end: { readonly kind: string } }
  | { readonly type: Exclude<Item['type'], 'call' | 'end'> };

interface MaybeCalls {
  readonly chapters: readonly { readonly items: { readonly pages: readonly (readonly MaybeCall[])[] } }[];
}

/** A command that runs waits for the user to type, as for a password. It is among the newest items. */
export function awaitsInput(state: MaybeCalls): boolean {
  const newest = liveChapter(state).items.pages.slice(-2).flat();
  return newest.some(item => item.type === 'call' && item.status.kind === 'running' && item.status.waits);
}

/** The newest turn has ended in an error. */
export function hasFailed(state: MaybeCalls): boolean {
  const last = liveChapter(state).items.pages.at(-1)?.at(-1);
  return last?.type === 'end' && last.end.kind === 'failed';
}

/** The prompts that are still in the conversation and can be gone back to, oldest first. */
export function rewindPoints({ chapters }: Pick<SessionState, 'chapters'>): readonly PromptItem[] {
  const items = chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.filter(item => item.type === 'prompt').filter(({ steered }) => !steered);
}

/** The title that the model last set; `undefined` before the first topic call. */
export function activeTopic(state: SessionState): string | undefined {
  return liveChapter(state).title || undefined;
}

/** Stands as the tool of a command that the user ran from the prompt. */
export const ownCommandTool = 'user_command';

/** A chapter's heading stands for the call that opens it; a command of the user is no call of the agent. */
export function isCounted(call: Pick<CallItem, 'tool'>): boolean {
  return call.tool !== 'create_new_topic' && call.tool !== ownCommandTool;
}
