/* Shapes of what a person wants, for whoever hears of it from outside: nothing is believed before it passed here. */

import * as z from 'zod';
import type { Attachment } from '../../protocol/events.ts';
import type { PanelDecision } from '../../protocol/messages.ts';

export const shortId = z.string().min(1).max(200);

export const attachmentShape: z.ZodType<Attachment> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('selection'),
    path: z.string(),
    startLine: z.int().positive(),
    endLine: z.int().positive(),
    text: z.string(),
  }),
  z.object({ kind: z.literal('file'), path: z.string().min(1) }),
  z.object({
    kind: z.literal('image'),
    name: z.string(),
    blob: z.object({ mimeType: z.string().regex(/^image\//), data: z.base64() }),
  }),
]);

export const decisionShape: z.ZodType<PanelDecision> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  z.object({ kind: z.literal('always'), choice: shortId }),
  z.object({
    kind: z.literal('answers'),
    // A server's form has up to 20 questions with up to 50 options each.
    answers: z.array(z.array(z.string().max(20_000)).max(50)).max(20),
  }),
  z.object({ kind: z.literal('plan'), mode: z.enum(['default', 'autoEdit']) }),
  z.object({ kind: z.literal('hunks'), accepted: z.array(z.int().nonnegative()) }),
  z.object({ kind: z.literal('deny'), reason: z.string().optional() }),
]);

export const fallbackShape = z.enum(['retry', 'switch', 'stop', 'later']);

export const modeShape = z.enum(['default', 'autoEdit', 'plan', 'yolo']);
