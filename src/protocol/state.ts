/* What a session looks like at one moment: the fold of its events, shared by host and webview. */

import type { RestoredFile, ReviewedFile, RewindPoint, RewindScope } from './changes.ts';
import type {
  ApprovalMode,
  Ask,
  Attachment,
  DecisionKind,
  Display,
  Effect,
  FileCounts,
  OutcomeKind,
  Todo,
  TurnEnd,
  Usage,
} from './events.ts';
import { emptyPages, type Pages } from './pages.ts';

export interface SessionState {
  /** The newest event that this state includes; 0 before the first. */
  readonly seq: number;
  readonly sessionId: string;
  readonly folders: readonly string[];
  /** First line of the first prompt; empty before it. */
  readonly title: string;
  readonly model: string;
  readonly mode: ApprovalMode;
  readonly activity: Activity;
  /** In order; the last one is the chapter that grows. Never empty. */
  readonly chapters: readonly Chapter[];
  readonly todos: readonly Todo[];
  /** Sum over all steps. */
  readonly usage: Usage;
  /** What waits for review, in the order of the first change. */
  readonly reviews: readonly ReviewedFile[];
  /** The newest rewind, as long as it can be undone. */
  readonly rewound?: Rewound;
  /** Tokens of the newest request and its answer, as the provider counted them; 0 before the first. */
  readonly contextTokens: number;
}

/** What a rewind took away. */
export interface Rewound {
  readonly rewindId: string;
  readonly to: RewindPoint;
  readonly scope: RewindScope;
  readonly files: readonly RestoredFile[];
  readonly chapters: readonly Chapter[];
  readonly todos: readonly Todo[];
  readonly contextTokens: number;
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
    };

export interface Chapter {
  readonly id: string;
  /** From 1; 0 for the untitled opening of a session. */
  readonly number: number;
  /** Empty for the untitled opening. */
  readonly title: string;
  readonly summary?: string;
  readonly status: 'live' | 'done';
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly items: Pages<Item>;
  readonly files: readonly FileCounts[];
  readonly calls: number;
  readonly usage: Usage;
}

export type Item = PromptItem | TextItem | ThoughtItem | CallItem | NoticeItem | EndItem;

export interface PromptItem {
  readonly type: 'prompt';
  /** The turn's id. */
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly at: number;
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
  readonly title: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly decided?: { readonly decision: DecisionKind; readonly reason?: string };
  readonly status: CallStatus;
}

export type CallStatus =
  | { readonly kind: 'validating' }
  | { readonly kind: 'asking'; readonly ask: Ask }
  | { readonly kind: 'scheduled' }
  | { readonly kind: 'running'; readonly startedAt: number; readonly output: string }
  | {
      readonly kind: 'ended';
      readonly outcome: OutcomeKind;
      readonly display: Display;
      readonly durationMs: number;
    };

export interface NoticeItem {
  readonly type: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
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
    },
  ],
  todos: [],
  reviews: [],
  usage: noUsage,
  contextTokens: 0,
};

/** The chapter that grows. */
export function liveChapter(state: SessionState): Chapter {
  return state.chapters[state.chapters.length - 1]!;
}

/** The title that the model last set; `undefined` before the first topic call. */
export function activeTopic(state: SessionState): string | undefined {
  return liveChapter(state).title || undefined;
}
