import type { Message } from '../../../../protocol/events.ts';
import type { CompressionTrigger, Failure } from '../../../../protocol/values.ts';
import type { Log } from '../../../platform/log.ts';
import type { ModelQuestionContext } from '../../answers/ask.ts';
import { findApprovedPlan } from '../../plan/approvedPlan.ts';
import type { Transcript } from '../../recording/transcript.ts';
import type { ModelServices } from '../../routing/modelServices.ts';
import type { Routing } from '../../routing/routing.ts';
import { formatChapterName, type HistoryChapter, historyChapters } from './historyChapters.ts';
import { replacementOf } from './replacement.ts';

export interface CompressionServices {
  readonly ports: ModelQuestionContext['ports'] & {
    readonly models: Pick<ModelServices, 'contextLimit'>;
    readonly log: Pick<Log, 'warn' | 'error'>;
  };
  readonly transcript: Pick<Transcript, 'history' | 'places' | 'state' | 'emit'>;
  /** Provides the working model, and the side model that writes the summary if it fits there. */
  readonly routing: Pick<Routing, 'working' | 'side' | 'insteadOf'>;
  /** Rejects with a sentence for the user if compression is not allowed. */
  readonly beforeCompression: (trigger: CompressionTrigger, signal: AbortSignal) => Promise<void>;
  /** Saves a text to a file. The same name gives the same absolute path. */
  readonly saveOutput: (name: string, text: string) => Promise<string>;
  /** Estimated tokens of system prompt and declarations. */
  readonly overhead: () => Promise<number>;
  /** The history as requests contain it now, with masked results, message by message. */
  readonly sent: () => Promise<readonly Message[]>;
  readonly canRecall: boolean;
  /** Explains a request that is too large; absent: tells the user what to do. */
  readonly describeExcess?: (tokens: number, limit: number) => Failure;
}

/** Uses current pins and titles. */
export function replacementMessages(
  snapshot: string,
  keptFrom: number,
  { transcript, canRecall }: Pick<CompressionServices, 'transcript' | 'canRecall'>,
): readonly Message[] {
  const { history, places, state } = transcript;
  const { whole } = history;
  const { pins } = state;
  const reported = canRecall ? historyChapters(state, places, whole.length) : [];
  const chapters = chapterNames(reported, keptFrom);
  const plan = findApprovedPlan(whole, keptFrom);
  return replacementOf({ snapshot, keptFrom, whole, places, pins, chapters, plan });
}

/** Names of the chapters that begin before this message. */
export function chapterNames(chapters: readonly HistoryChapter[], keptFrom: number): readonly string[] {
  return chapters.filter(({ start, end }) => start < keptFrom && end > start).map(formatChapterName);
}
