/*
 * Everything that a user can want of the host: one row for each intention, with the shape of its members. The types
 * follow from the rows, and so do the parser, the handlers of the panel and the examples of the tests.
 *
 * Whoever imports more than types from here loads the schema library: the page never does, the window with its first
 * page.
 */

import * as z from 'zod';
import { isBase64 } from './mediaLimit.ts';
import { type Immutable, table } from './table.ts';

const id = z.string().min(1).max(200);
const title = z.string().trim().min(1).max(200);
const path = z.string().min(1);
/** Lines and hunks are counted from 1. */
const count = z.int().positive();

const attachment = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('selection'),
    path: z.string(),
    startLine: count,
    endLine: count,
    text: z.string(),
  }),
  z.object({ kind: z.literal('file'), path }),
  z.object({
    kind: z.literal('image'),
    name: z.string(),
    blob: z.object({
      mimeType: z.string().regex(/^image\/|^application\/pdf$/),
      data: z.string().refine(isBase64).meta({ format: 'base64' }),
    }),
  }),
]);

const prompt = { text: z.string(), attachments: z.array(attachment) };

const decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  /** Allows a command once, in a terminal where the user answers what it asks. */
  z.object({ kind: z.literal('interactive') }),
  /** `choice`: the id of one of the ask's lasting permissions. */
  z.object({ kind: z.literal('always'), choice: id }),
  /** One answer for each question. A server's form has up to 20 questions with up to 50 options each. */
  z.object({
    kind: z.literal('answers'),
    answers: z.array(z.array(z.string().max(20_000)).max(50)).max(20),
  }),
  /** Approves the plan as it stands in its file; from then on the session works in this mode. */
  z.object({ kind: z.literal('plan'), mode: z.enum(['default', 'autoEdit']) }),
  /** Indices of the hunks of the ask's diff that are taken. */
  z.object({ kind: z.literal('hunks'), accepted: z.array(z.int().nonnegative()) }),
  z.object({ kind: z.literal('deny'), reason: z.string().optional() }),
]);

/** Which hunks a decision is about; what is left out stands for all. The path is absolute, as in `ReviewedFile`. */
const place = z.object({
  path: path.optional(),
  hunkId: count.optional(),
  chapterId: id.optional(),
  writer: z.string().max(8192).optional(),
});
/** The files that a decision is about, as they were shown; one that has changed since is not decided on. */
const shown = z.array(z.object({ path, present: id }));

const to = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), turnId: id }),
  z.object({ kind: z.literal('chapter'), chapterId: id }),
  /** One call alone goes back, in files; everything that was written since stays. */
  z.object({ kind: z.literal('call'), callId: id }),
]);

export const intentions = table({
  /** The page has loaded and wants a snapshot. */
  'panel.ready': {},
  /** The page has the focus, or has it no more: VS Code has no condition for keys that says so. */
  'panel.focused': { isFocused: z.boolean() },
  /** Wants the picture of a call; answered by `picture.told`. */
  'panel.picture': { callId: id },
  /** Wants the page of a call's server, which may reach these hosts; answered by `app.told`. */
  'panel.app': { callId: id, hosts: z.array(z.string().max(300)).max(40) },
  /** A message of such a page, as JSON; answered by `app.answered`. `app`: of the one that was told. */
  'panel.appSent': { app: id, text: z.string().max(1_000_000) },
  /** The text that such a page adds to the next prompt is not to go along. */
  'panel.appLeftOut': { app: id },
  /** The draft in the composer changed; empty once it is sent. `of`: the session, or `new` before its first prompt. */
  'panel.drafted': { of: id, text: z.string() },
  /** While the agent works it waits (`next`), is told at the next step, or ends the turn and goes first. */
  'prompt.send': { ...prompt, how: z.enum(['steer', 'next', 'stopAndSend']) },
  'turn.stop': {},
  /** All four are about the worktree of the shown session. */
  'worktree.listChanges': {},
  'worktree.bringHome': {},
  /** Brings the user's changes into it; the agent resolves conflicts. */
  'worktree.update': {},
  'worktree.remove': {},
  'container.leave': {},
  /** Sends the last prompt's turn on, after it failed or was stopped. `endId`: of the end that was shown. */
  'turn.retry': { endId: id },
  /** Ends the waiting before a retry. */
  'retry.now': {},
  /**
   * `askId`: of the ask that was shown; another one of the same call is not decided on by it. `sessionId`: whose call
   * it is, where it was shown in a list; absent: of the shown session.
   */
  'call.decide': { sessionId: id.optional(), callId: id, askId: id, decision },
  /** Opens the proposal of a call in the diff editor. */
  'diff.open': { callId: id },
  /** Opens everything that the session changed in the multi-file diff editor. */
  'changes.open': {},
  /** Opens the whole output of a call, or the whole text of a prompt or thought, in an editor. */
  'output.open': { callId: id },
  /** Opens the picture of a call beside the code. */
  'picture.open': { callId: id },
  /** Both are about the page that the shown session has open in its browser. */
  'page.takeOver': {},
  'page.giveBack': {},
  /** Both are about a tab of the user's own browser. */
  'page.share': {},
  'page.stopSharing': {},
  /** Attaches the lines that are selected in the editor. */
  'selection.attach': {},
  /** Leaves these lines out of what goes along. */
  'selection.omit': {},
  'file.open': { path, line: count.optional() },
  'link.open': { url: z.string().max(8192) },
  'text.copy': { text: z.string() },
  'review.accept': { place, shown },
  'review.reject': { place, shown },
  'review.bringBack': { path, hunkId: count },
  /** Opens the file in the editor, at the hunk. */
  'review.open': { path, hunkId: count.optional() },
  /** Gives all open comments to the agent. */
  'comments.send': {},
  /** Asks what going back would do to files; answered by `rewind.previewed`. */
  'rewind.preview': { to },
  'rewind.do': { to, scope: z.enum(['files', 'conversation', 'both']) },
  'rewind.undo': {},
  'mode.set': { mode: z.enum(['default', 'autoEdit', 'plan', 'yolo']) },
  'model.set': { model: id },
  /** How hard this model is to think. Absent: it is not named any more. */
  'effort.set': { model: id, effort: z.enum(['low', 'medium', 'high', 'max']).optional() },
  /** Chooses a value of what the agent that drives the session offers. */
  'agent.set': { option: id, value: z.string().max(1000) },
  /** Opens VS Code's picker of models. */
  'model.select': {},
  'session.new': {},
  'session.open': { sessionId: id },
  /** Has it leave the background host and go on in this window. */
  'session.bringBack': { sessionId: id },
  /** Opens it in a tab of the editor, beside what is there. */
  'session.openInEditor': { sessionId: id },
  /** Asks for the sessions whose title, chapters or prompts hold all words of the query; empty: all. */
  'sessions.list': { query: z.string().max(1000) },
  'session.rename': { sessionId: id, title },
  /** Takes it out of the list; `session.restore` brings it back until Folio tidies up. */
  'session.delete': { sessionId: id },
  'session.restore': { sessionId: id },
  /** Asks for the items of a chapter, or of the subagent that a call sent out, where the page has none of them. */
  'items.load': { of: id },
  /** How the turn continues whose model failed. `askId`: of the question that was shown. */
  'fallback.decide': { askId: id, decision: z.enum(['retry', 'switch', 'stop', 'later', 'upgrade']) },
  'key.set': {},
  /** The card that connects a model is shown and wants to know what is there; answered by `connect.told`. */
  'connect.open': {},
  'connect.start': {
    way: z.enum([
      'gemini',
      'anthropic',
      'openai-responses',
      'azure',
      'vscode',
      'server',
      'vertex',
      'bedrock',
      'rehearsal',
    ]),
  },
  /** `id`: of an `OfferedModel` that was told. */
  'connect.choose': { id: z.string().min(1).max(1000) },
  'connect.act': {
    action: z.enum([
      'again',
      'address',
      'deployment',
      'key',
      'account',
      'project',
      'region',
      'signIn',
      'extensions',
    ]),
  },
  /** Ends what is being looked for or tried. */
  'connect.stop': {},
  'settings.open': {},
  'folder.open': {},
  'trust.manage': {},
  /** Makes a summary of the oldest part and asks whether to apply it. */
  'context.compress': {},
  'compression.apply': { compressionId: id },
  /** Opens the summary in an editor; saving changes it. */
  'compression.edit': { compressionId: id },
  /** Ends one that is being made, or drops a proposed one. */
  'compression.discard': { compressionId: id },
  'compression.undo': { compressionId: id },
  'pin.set': { id, pinned: z.boolean() },
  /** Asks what fills the context; answered by `context.described`. */
  'context.describe': {},
  /** Opens the newest request in an editor. */
  'request.show': {},
  'chapter.rename': { chapterId: id, title },
  /** The user folded or unfolded one by hand; how it looks is the page's own. */
  'chapter.folded': { chapterId: id },
  /** Puts it on the clipboard as Markdown. */
  'chapter.copy': { chapterId: id },
  'chapter.export': { chapterId: id },
  /** Without an id: the one that is shown. */
  'session.export': { sessionId: id.optional() },
  'queue.change': { prompt: z.object({ id, ...prompt, when: z.enum(['steer', 'next']) }) },
  'queue.remove': { id },
  /** Ends the turn that runs and sends this prompt first. */
  'queue.sendNow': { id },
  'permissions.list': {},
  'permission.remove': { id },
  /** Opens a file of rules of the user's own. */
  'permission.add': {},
  /** Lets what the workspace brings do its work, or keeps it from it. */
  'unseen.decide': { allowed: z.boolean(), ids: z.array(id) },
  /** Ends the work of one subagent; the call fails with what it has found so far. */
  'agent.stop': { callId: id },
  /** Asks for what waits in the memory inbox; answered by `inbox.listed`, and again whenever it changes. */
  'panel.inbox': {},
  /** `text`: the words that the user saw, edited or not. */
  'inbox.accept': {
    number: z.int().min(1),
    target: z.enum(['workspace', 'user']),
    text: z.string().max(20_000),
  },
  'inbox.drop': { number: z.int().min(1) },
  /** Asks for the newest comparison; answered by `comparison.told`, and again whenever it changes. */
  'panel.comparison': {},
  /** Brings the changes of an attempt home. */
  'comparison.take': { sessionId: id },
  /** Runs the project's tests in the worktree of each attempt that rests. */
  'comparison.test': {},
  /** Removes an attempt's worktree, once the user has agreed. */
  'comparison.discard': { sessionId: id },
  /** Asks for the statistics of the last so many days, 0: of all; answered by `statistics.told`. */
  'panel.statistics': { days: z.int().min(0).max(10_000) },
  /** Writes the same as CSV into a file of the user's choice. */
  'statistics.save': { days: z.int().min(0).max(10_000) },
  'mcp.list': {},
  /** Asks step by step for a server to add. */
  'mcp.add': {},
  'mcp.act': {
    server: id,
    action: z.enum(['restart', 'enable', 'disable', 'signIn', 'signOut', 'showLog', 'openFile']),
  },
  /** Takes a server out of the file that adding one writes, once the user has confirmed it. */
  'mcp.remove': { server: id },
  /** Shows the terminal of the command that waits for the user to type. */
  'command.answer': { callId: id },
  /** Stops a command that runs without a terminal and runs it again in one, where the user answers what it asks. */
  'command.restart': { callId: id },
  /**
   * A program that this call left running: shows its page or its output, starts it again, ends it, lets it outlive the
   * window, or takes one that has ended off the list.
   */
  'program.act': { callId: id, action: z.enum(['open', 'showOutput', 'restart', 'stop', 'keep', 'forget']) },
  'plan.open': {},
  /**
   * Asks for completions at the caret, `query` behind the trigger; answered by `completion.told` with the same
   * number.
   */
  'completion.ask': {
    number: z.int().nonnegative(),
    trigger: z.enum(['@', '/']),
    query: z.string().max(1000),
  },
});

export type IntentionType = keyof typeof intentions;

/** The type that one row describes. */
export type Intention<K extends IntentionType> = Immutable<z.infer<(typeof intentions)[K]>>;

/** Any message that the page may send. */
export type ToHost = { [K in IntentionType]: Intention<K> }[IntentionType];

export type PanelDecision = Intention<'call.decide'>['decision'];
export type PanelReviewPlace = Intention<'review.accept'>['place'];
export type ProgramAction = Intention<'program.act'>['action'];
export type ShownFile = Intention<'review.accept'>['shown'][number];
export type ApprovalMode = Intention<'mode.set'>['mode'];
export type Attachment = Intention<'prompt.send'>['attachments'][number];
export type RewindPoint = Intention<'rewind.do'>['to'];
export type RewindScope = Intention<'rewind.do'>['scope'];
