/* The state of a session, folded from its events. */

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
import type { ApprovalMode, Attachment, RewindScope, RewindTarget } from './intentions.ts';
import type { Mention } from './mentions.ts';
import { emptyPagedList, iterate, type PagedList } from './pagedList.ts';
import type { ModelFailure, Routed } from './routing.ts';
import type { CompressionTrigger, Effect, FileCounts, NewestPlan, RestoredFile, Todo } from './values.ts';
import type { SessionPlace } from './worktree.ts';

export interface SessionState extends SessionPlace {
  /** Number of the newest event in this state; 0 before the first. */
  readonly seq: number;
  readonly sessionId: string;
  /** Name given by the user, otherwise the first line of the first prompt. */
  readonly title: string;
  /** Chosen model, or `auto`. */
  readonly model: string;
  /** Model of the newest turn, and why. Absent before the first is chosen. */
  readonly routed?: Routed;
  readonly mode: ApprovalMode;
  readonly activity: Activity;
  /** In order, never empty. New items go to the last. */
  readonly chapters: readonly Chapter[];
  readonly todos: readonly Todo[];
  /** In the order of their start. Absent: none was left running. */
  readonly programs?: readonly ListedProgram[];
  /** Sum over all steps and side requests. */
  readonly usage: Usage;
  /** Cost of `usage` in US dollars, where prices are known; `undefined` before the first such answer. */
  readonly cost?: number;
  /** US dollars that the provider's cache saved. */
  readonly saved?: number;
  /** True if the price of some answers is unknown, so `cost` is incomplete. */
  readonly unpriced?: true;
  /** Number of misses of the provider's cache, and the newest one. */
  readonly cacheLosses?: { readonly count: number; readonly newest: CacheLoss & { readonly at: number } };
  /** Files with pending review, in the order of their first change. */
  readonly reviews: readonly ReviewedFile[];
  /** Newest wait for the user, in milliseconds since the Unix epoch. `until` is absent while it lasts. */
  readonly newestWait?: Readonly<{ from: number; until?: number }>;
  /** Files whose pending changes are gone but may return, as after a branch switch. */
  readonly shelved: readonly ShelvedFile[];
  /** In the order of creation. */
  readonly comments: readonly CommentThread[];
  /** Newest rewind, while it can be undone. */
  readonly rewound?: Rewound;
  /** Compression that is running, or waits for the user's decision. */
  readonly compression?: OpenCompression;
  /** Applied compressions, oldest first. Each replaces more of the history than the previous one. */
  readonly compressions: readonly Compression[];
  /** True after a failed compression or an undone automatic one. No automatic ones until one succeeds. */
  readonly compressionPaused: boolean;
  /** Queued prompts, in the order of sending. */
  readonly queue: readonly QueuedPrompt[];
  readonly plan?: NewestPlan;
  /** Ids of turns and steps whose prompt or answer is pinned. */
  readonly pins: readonly string[];
  /** Tokens of the newest request and its answer, as the provider counted them; 0 before the first. */
  readonly contextTokens: number;
  /** Spending of the running turn, moved to its prompt at the end. */
  readonly spending?: TurnSpending;
  /** Model of the newest request. */
  readonly answering?: string;
  readonly newestStep?: NewestStep;
}

/** Counts for the chapter that it begins, so that finished chapters do not grow with the next prompt. */
interface NewestStep {
  readonly startedAt: number;
  /** Spending of the step, and of its chapter before. Absent until it ends. */
  readonly spent?: readonly [before: Spending, own: Spending];
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

/** Parts of the session that a rewind removed. */
export interface Rewound {
  readonly rewindId: string;
  readonly to: RewindTarget;
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
  /** The model failed. The user decides whether another takes over. */
  | {
      readonly status: 'choosing';
      readonly turnId: string;
      readonly since: number;
      readonly failure: ModelFailure;
    };

export interface Chapter extends Spending {
  readonly id: string;
  /** From 1; 0 for the untitled first chapter. */
  readonly number: number;
  readonly title: string;
  readonly summary?: string;
  readonly status: 'live' | 'done';
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly items: PagedList<Item>;
  /** File changes, without undone ones. */
  readonly files: readonly FileCounts[];
  /** Number of files with undone changes. Absent: none. */
  readonly undone?: number;
  readonly calls: number;
  /** Milliseconds of work, up to the newest wait, end of a turn or end of the chapter. */
  readonly activeMs: number;
  /** Milliseconds of waiting for the user, up to the end of the newest wait. */
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
  /** Id of the turn. */
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mentions?: readonly Mention[];
  /** True if the prompt steered a running turn. A rewind cannot target it. `id` is that of the queued prompt. */
  readonly steered?: true;
  readonly at: number;
  /** Spending of its turn, after the turn has ended. */
  readonly spent?: TurnSpending;
}

/** Tokens and cost of one or more answers. */
export interface Spending {
  readonly usage: Usage;
  /** US dollars of the answers whose price is known. */
  readonly cost?: number;
  readonly saved?: number;
  readonly unpriced?: true;
}

export interface TurnSpending extends Spending {
  readonly steps: number;
  /** Models that answered, in order, without duplicates. */
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
  /** `title` in the user's language, if that is not English. */
  readonly said?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Classification by a small model before the user was asked. */
  readonly judged?: Classified;
  readonly decided?: Readonly<{ decision: DecisionKind; reason?: string; lasting?: Ask['always'][number] }>;
  /** True if the call was running when it asked, so it may have had effects. */
  readonly askedAtWork?: true;
  /** State of the running call during its ask, with its output since. It continues with that. */
  readonly work?: Extract<CallStatus, { kind: 'running' }>;
  /** Files whose changes by this call were undone. */
  readonly undone?: readonly string[];
  /** For a call that started a subagent: the work of that so far. */
  readonly agent?: AgentRun;
  readonly status: CallStatus;
}

export interface AgentRun {
  readonly name: string;
  /** Work of the subagent, folded like a session. It has one chapter, since subagents open none. */
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
      /** True while its program waits for input. */
      readonly waits?: boolean;
      /** Earlier call that started the program and owns its terminal. Absent: this call. */
      readonly startedBy?: string;
      /** True for a command without a terminal that the user may restart in one. */
      readonly canRestart?: boolean;
    }
  | {
      readonly kind: 'ended';
      readonly outcome: OutcomeKind;
      readonly display: Display;
      readonly durationMs: number;
      /** True if the result went to the model while the program still waits for input. */
      readonly waits?: boolean;
      /** As in `running`. */
      readonly startedBy?: string;
    };

export interface NoticeItem {
  readonly type: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly remedy?: 'compress';
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

/** Marks where a compression took effect, also after it was undone. */
export interface CompressionItem {
  readonly type: 'compression';
  readonly id: string;
  readonly trigger: CompressionTrigger;
  /** Number of titled chapters with summarised messages. */
  readonly chapters: number;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly undone?: true;
}

/** Says why a turn ended, other than by resting. */
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
      items: emptyPagedList,
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

/** Returns the newest chapter, which gets new items. */
export function newestChapter<C>(state: { readonly chapters: readonly C[] }): C {
  return state.chapters[state.chapters.length - 1]!;
}

type MaybeCall =
  | { readonly type: 'call'; readonly status: { readonly kind: string; readonly waits?: boolean } }
  | { readonly type: 'end'; readonly end: { readonly kind: string } }
  | { readonly type: Exclude<Item['type'], 'call' | 'end'> };

interface MaybeCalls {
  readonly chapters: readonly { readonly items: { readonly pages: readonly (readonly MaybeCall[])[] } }[];
}

/** Returns true if a running command waits for input, such as a password. Searches the newest items. */
export function hasCommandAwaitingInput(state: MaybeCalls): boolean {
  const newest = newestChapter(state).items.pages.slice(-2).flat();
  return newest.some(item => item.type === 'call' && item.status.kind === 'running' && item.status.waits);
}

/** Returns true if the newest turn failed. */
export function hasNewestTurnFailed(state: MaybeCalls): boolean {
  const last = newestChapter(state).items.pages.at(-1)?.at(-1);
  return last?.type === 'end' && last.end.kind === 'failed';
}

/** Returns the prompts that a rewind can target, oldest first. */
export function rewindPoints({ chapters }: Pick<SessionState, 'chapters'>): readonly PromptItem[] {
  const items = chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.filter(item => item.type === 'prompt').filter(({ steered }) => !steered);
}

/** Returns the newest chapter title of the model; `undefined` before the first topic call. */
export function activeTopic(state: SessionState): string | undefined {
  return newestChapter(state).title || undefined;
}

/** Tool name in calls of commands that the user ran with `!`. */
export const userCommandTool = 'user_command';

/** Excludes topic calls, shown as headings, and commands of the user from call counts. */
export function countsAsCall(call: Pick<CallItem, 'tool'>): boolean {
  return call.tool !== 'create_new_topic' && call.tool !== userCommandTool;
}
