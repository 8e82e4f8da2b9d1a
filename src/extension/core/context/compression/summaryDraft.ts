/*
 * A compression before its summary: the cut in the history, what is kept and what it saves. The view (what is sent)
 * only differs at the start, so an offset converts its indices to those of the whole history:
 *
 *   whole   0 ……………………… keptFrom of the one before ……………… keptFrom ………… newest
 *   view    replacement ───┘ from                         cut            newest
 */

import type { CompressionPlan, CutMessage } from '../../../../protocol/compression.ts';
import type { Message } from '../../../../protocol/events.ts';
import type { CompressionPart } from '../../../../protocol/values.ts';
import type { HistoryChapter } from './historyChapters.ts';
import type { TokenEstimator } from './tokenEstimator.ts';

export interface SummaryDraft {
  /** Original and sent messages, one to one. */
  readonly view: readonly Message[];
  readonly sent: readonly Message[];
  /** `sent` with old, long results cut. */
  readonly cutDown: readonly Message[];
  /** Index in the view of the first kept message. */
  readonly cut: number;
  /** Add it to an index of the view from `from` on; earlier ones have no counterpart. */
  readonly offset: number;
  readonly from: number;
  readonly whole: readonly Message[];
  readonly chapters: readonly HistoryChapter[];
  /** Indices in the whole history. */
  readonly literal: ReadonlySet<number>;
}

interface SizeMeasures {
  readonly estimator: TokenEstimator;
  /** Estimated tokens of a request apart from the history. */
  readonly overhead: number;
  /** The provider's count for a request; 0: unknown. */
  readonly counted: number;
}

export function toCompressionPlan(
  draft: SummaryDraft,
  snapshot: string,
  replacement: readonly Message[],
  { estimator, overhead, counted }: SizeMeasures,
): CompressionPlan {
  const { sent, cutDown, cut, offset } = draft;
  const before = overhead + estimator.ofMessages(sent);
  const after = overhead + estimator.ofMessages(replacement) + estimator.ofMessages(cutDown.slice(cut));
  const scale = counted > 0 ? counted / before : 1;
  const scaled = (tokens: number) => Math.round(tokens * scale);
  return {
    snapshot,
    replacement,
    keptFrom: cut + offset,
    cut: cutMessages(draft),
    parts: partsOf(draft, estimator, scaled),
    tokens: { before: scaled(before), after: scaled(after) },
  };
}

function cutMessages({ whole, cutDown, cut, offset }: SummaryDraft): readonly CutMessage[] {
  return cutDown.flatMap((message, at) => {
    const index = at + offset;
    return at >= cut && message !== whole[index] ? [{ index, message }] : [];
  });
}

function partsOf(
  draft: SummaryDraft,
  estimator: TokenEstimator,
  scaled: (tokens: number) => number,
): readonly CompressionPart[] {
  const { sent, cutDown, cut, offset, from, literal, chapters } = draft;
  return chapters.map(({ id: chapterId, start, end }) => {
    let [summarised, kept, dropped] = [0, 0, 0];
    for (let index = Math.max(start, from + offset); index < end; index++) {
      const at = index - offset;
      if (at >= sent.length) break;
      const tokens = estimator.ofMessage(sent[at]!);
      const stays = at >= cut || literal.has(index);
      const left = stays ? estimator.ofMessage(at >= cut ? cutDown[at]! : sent[at]!) : 0;
      if (!stays) summarised += tokens;
      kept += left;
      if (stays) dropped += tokens - left;
    }
    return {
      chapterId,
      summarised: scaled(summarised),
      kept: scaled(kept),
      dropped: scaled(Math.max(0, dropped)),
    };
  });
}

/** Estimated tokens that a summary would replace, without those of an earlier summary. */
export function estimateReplacedTokens(
  { sent, cut, offset, from, literal }: SummaryDraft,
  estimator: TokenEstimator,
): number {
  let tokens = 0;
  for (let at = from; at < cut; at++) if (!literal.has(at + offset)) tokens += estimator.ofMessage(sent[at]!);
  return tokens;
}
