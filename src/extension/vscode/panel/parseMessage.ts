import * as z from 'zod';
import type { RewindPoint } from '../../../protocol/changes.ts';
import type { PanelReviewPlace, ToHost } from '../../../protocol/messages.ts';
import {
  attachmentShape,
  decisionShape,
  fallbackShape,
  shortId as id,
  modeShape,
} from '../../core/intentions.ts';

/**
 * What the page sent, checked; `undefined` when it is no message that the host knows. The page shows text from
 * models and files, so nothing that comes from it is believed before it passed here.
 */
export function parseMessage(value: unknown): ToHost | undefined {
  const result = toHost.safeParse(value);
  return result.success ? result.data : undefined;
}

/** The `type` of a message that was not understood, for the log; never its content. */
export function describeMessage(value: unknown): string {
  const result = z.object({ type: z.string().regex(/^[\w.]{1,60}$/) }).safeParse(value);
  return result.success ? result.data.type : typeof value;
}

const path = z.string().min(1);
const hunkId = z.int().positive();
const place: z.ZodType<PanelReviewPlace> = z.object({
  path: path.optional(),
  hunkId: hunkId.optional(),
  chapterId: id.optional(),
});
const shown = z.array(z.object({ path, present: id }));
const to: z.ZodType<RewindPoint> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), turnId: id }),
  z.object({ kind: z.literal('chapter'), chapterId: id }),
]);
const scope = z.enum(['files', 'conversation', 'both']);

const toHost: z.ZodType<ToHost> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('panel.ready') }),
  z.object({ type: z.literal('prompt.send'), text: z.string(), attachments: z.array(attachmentShape) }),
  z.object({ type: z.literal('turn.stop') }),
  z.object({ type: z.literal('turn.retry'), endId: id }),
  z.object({ type: z.literal('retry.now') }),
  z.object({ type: z.literal('call.decide'), callId: id, askId: id, decision: decisionShape }),
  z.object({ type: z.literal('diff.open'), callId: id }),
  z.object({ type: z.literal('changes.open') }),
  z.object({ type: z.literal('output.open'), callId: id }),
  z.object({ type: z.literal('file.open'), path: z.string().min(1), line: z.int().positive().optional() }),
  z.object({ type: z.literal('link.open'), url: z.string().max(8192) }),
  z.object({ type: z.literal('text.copy'), text: z.string() }),
  z.object({ type: z.literal('review.accept'), place, shown }),
  z.object({ type: z.literal('review.reject'), place, shown }),
  z.object({ type: z.literal('review.bringBack'), path, hunkId }),
  z.object({ type: z.literal('review.open'), path, hunkId: hunkId.optional() }),
  z.object({ type: z.literal('rewind.preview'), to }),
  z.object({ type: z.literal('rewind.do'), to, scope }),
  z.object({ type: z.literal('rewind.undo') }),
  z.object({ type: z.literal('mode.set'), mode: modeShape }),
  z.object({ type: z.literal('model.set'), model: z.string().min(1).max(200) }),
  z.object({ type: z.literal('model.select') }),
  z.object({ type: z.literal('session.new') }),
  z.object({ type: z.literal('session.open'), sessionId: id }),
  z.object({ type: z.literal('sessions.list'), query: z.string().max(1000) }),
  z.object({ type: z.literal('session.rename'), sessionId: id, title: z.string().trim().min(1).max(200) }),
  z.object({ type: z.literal('session.delete'), sessionId: id }),
  z.object({ type: z.literal('session.restore'), sessionId: id }),
  z.object({ type: z.literal('chapter.load'), chapterId: id }),
  z.object({
    type: z.literal('fallback.decide'),
    askId: id,
    decision: fallbackShape,
  }),
  z.object({ type: z.literal('key.set') }),
  z.object({ type: z.literal('connect.open') }),
  z.object({
    type: z.literal('connect.start'),
    way: z.enum(['gemini', 'vscode', 'server', 'vertex', 'rehearsal']),
  }),
  z.object({ type: z.literal('connect.choose'), id: z.string().min(1).max(1000) }),
  z.object({
    type: z.literal('connect.act'),
    action: z.enum(['again', 'address', 'key', 'project', 'signIn', 'extensions']),
  }),
  z.object({ type: z.literal('connect.stop') }),
  z.object({ type: z.literal('settings.open') }),
  z.object({ type: z.literal('folder.open') }),
  z.object({ type: z.literal('trust.manage') }),
  z.object({ type: z.literal('context.compress') }),
  z.object({ type: z.literal('compression.apply'), compressionId: id }),
  z.object({ type: z.literal('compression.edit'), compressionId: id }),
  z.object({ type: z.literal('compression.discard'), compressionId: id }),
  z.object({ type: z.literal('compression.undo'), compressionId: id }),
  z.object({ type: z.literal('pin.set'), id, pinned: z.boolean() }),
  z.object({ type: z.literal('context.describe') }),
  z.object({ type: z.literal('request.show') }),
  z.object({ type: z.literal('chapter.rename'), chapterId: id, title: z.string().trim().min(1).max(200) }),
  z.object({ type: z.literal('chapter.folded'), chapterId: id }),
  z.object({ type: z.literal('chapter.copy'), chapterId: id }),
  z.object({ type: z.literal('chapter.export'), chapterId: id }),
  z.object({ type: z.literal('session.export'), sessionId: id.optional() }),
  z.object({
    type: z.literal('prompt.queue'),
    text: z.string(),
    attachments: z.array(attachmentShape),
    how: z.enum(['steer', 'next', 'stopAndSend']),
  }),
  z.object({
    type: z.literal('queue.change'),
    prompt: z.object({
      id,
      text: z.string(),
      attachments: z.array(attachmentShape),
      when: z.enum(['steer', 'next']),
    }),
  }),
  z.object({ type: z.literal('queue.remove'), id }),
  z.object({ type: z.literal('queue.sendNow'), id }),
  z.object({ type: z.literal('permissions.list') }),
  z.object({ type: z.literal('permission.remove'), id }),
  z.object({ type: z.literal('hooks.decide'), allowed: z.boolean(), ids: z.array(id) }),
  z.object({ type: z.literal('unseen.decide'), allowed: z.boolean(), ids: z.array(id) }),
  z.object({ type: z.literal('agent.stop'), callId: id }),
  z.object({ type: z.literal('mcp.list') }),
  z.object({
    type: z.literal('mcp.act'),
    server: id,
    action: z.enum(['restart', 'enable', 'disable', 'signIn', 'signOut', 'showLog', 'openFile']),
  }),
  z.object({ type: z.literal('plan.open') }),
  z.object({
    type: z.literal('completion.ask'),
    number: z.int().nonnegative(),
    trigger: z.enum(['@', '/']),
    query: z.string().max(1000),
  }),
]);
