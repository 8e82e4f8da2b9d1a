/* Compression: the oldest part of the history gives way to a summary, and can come back. */

import type { SessionEventBody } from './events.ts';

/** The context grew beyond its share of the model's limit, or a person asked for it. */
export type CompressionTrigger = 'automatic' | 'manual';

/** What becomes of one chapter, in tokens. */
export interface CompressionPart {
  readonly chapterId: string;
  readonly summarised: number;
  /** Stays word for word. */
  readonly kept: number;
  /** Of long results in what is kept; the whole stays on the disk. */
  readonly dropped: number;
}

/** What a compression does. It changes what the next request carries and nothing that is recorded. */
export type CompressionPlan = SessionEventBody<'compression.applied'>['plan'];

export type CutMessage = CompressionPlan['cut'][number];

export type CompressionEnd = SessionEventBody<'compression.ended'>['end'];
