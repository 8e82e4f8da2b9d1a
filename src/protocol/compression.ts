/* Compression: the oldest part of the history gives way to a summary, and can come back. */

import type { SessionEventBody } from './events.ts';

/** The effect of a compression. It changes what the next request carries and nothing that is recorded. */
export type CompressionPlan = SessionEventBody<'compression.applied'>['plan'];

export type CutMessage = CompressionPlan['cut'][number];

export type CompressionEnd = SessionEventBody<'compression.ended'>['end'];
