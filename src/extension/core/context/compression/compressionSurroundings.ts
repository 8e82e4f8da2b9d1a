import type { CompressionTrigger } from '../../../../protocol/compression.ts';
import type { Message, SessionEventBody } from '../../../../protocol/events.ts';
import type { SessionState } from '../../../../protocol/state.ts';
import type { Log } from '../../../platform/log.ts';
import type { History } from '../../history/history.ts';
import { findApprovedPlan } from '../../plan/approvedPlan.ts';
import type { Routing } from '../../routing/routing.ts';
import type { AskSurroundings } from '../../session/ask.ts';
import type { Places } from '../../session/places.ts';
import { replacementOf } from './replacement.ts';
import { nameChapter, type ToldChapter, toldChapters } from './toldChapters.ts';

export interface CompressionSurroundings extends AskSurroundings {
  readonly history: Pick<History, 'messages' | 'whole' | 'compression' | 'forRequest'>;
  readonly places: Pick<Places, 'chapters' | 'messages' | 'prompts'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly state: () => SessionState;
  readonly emit: (event: SessionEventBody) => void;
  /** Whose context this is, and who is asked for the summary where that fits. */
  readonly routing: Pick<Routing, 'working' | 'side'>;
  readonly contextLimit: (model: string) => number;
  readonly compressionThreshold: () => number;
  /** Rejects when there must be no compression, with a sentence for the person. */
  readonly beforeCompression: (trigger: CompressionTrigger, signal: AbortSignal) => Promise<void>;
  readonly forgetEditorContext: () => void;
  /** Keeps a text in a file; the same name gives the same absolute path. */
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  /** Estimated tokens of system prompt and declarations. */
  readonly overhead: () => Promise<number>;
  /** The history's messages as requests carry them now, with old, long results masked; one for each. */
  readonly sent: () => Promise<readonly Message[]>;
  /** Chapters can be asked for again when they are compressed; absent: they can. */
  readonly canRecall?: boolean;
  readonly isRewinding: () => boolean;
  readonly beginRecording: () => Promise<void>;
  readonly flush: () => Promise<void>;
}

/** As pins and titles are now. */
export function replacementFor(
  snapshot: string,
  keptFrom: number,
  around: Pick<CompressionSurroundings, 'history' | 'places' | 'state' | 'canRecall'>,
): readonly Message[] {
  const { history, places, state, canRecall = true } = around;
  const { whole } = history;
  const { pins } = state();
  const told = canRecall ? toldChapters(state(), places, whole.length) : [];
  const chapters = chapterNames(told, keptFrom);
  const plan = findApprovedPlan(whole, keptFrom);
  return replacementOf({ snapshot, keptFrom, whole, places, pins, chapters, plan });
}

/** Those that begin before this message. */
export function chapterNames(chapters: readonly ToldChapter[], keptFrom: number): readonly string[] {
  return chapters.filter(({ start, end }) => start < keptFrom && end > start).map(nameChapter);
}
