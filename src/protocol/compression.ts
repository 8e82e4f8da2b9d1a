/* Compression: a summary replaces the oldest part of the history, which can be restored. */

import type { SessionEventBody } from './events.ts';

/** Effect of a compression. It changes the next request, but nothing that is recorded. */
export type CompressionPlan = SessionEventBody<'compression.applied'>['plan'];

export type CutMessage = CompressionPlan['cut'][number];

export type CompressionEnd = SessionEventBody<'compression.ended'>['end'];
