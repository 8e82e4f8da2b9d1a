/*
 * Intentions: all messages from the page to the host, one row each, with the schemas of their members. Types, parser,
 * handlers of the panel and examples of the tests follow from the rows.
 *
 * Importing more than types loads the schema library. The page never does; the window does with its first page.
 */

import * as z from 'zod';
import { isBase64 } from './mediaLimit.ts';
import { type Immutable, schemaTable } from './schemaTable.ts';

const id = z.string().min(1).max(200);
const title = z.string().trim().min(1).max(200);
const path = z.string().min(1);
/** Numbers of lines and hunks begin at 1. */
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
  /** Allows a command once, in a terminal where the user can type. */
  z.object({ kind: z.literal('interactive') }),
  /** `choice`: the id of one of the ask's lasting permissions. */
  z.object({ kind: z.literal('always'), choice: id }),
  /** One answer for each question. An MCP server's form has up to 20 questions with up to 50 options each. */
  z.object({
    kind: z.literal('answers'),
    answers: z.array(z.array(z.string().max(20_000)).max(50)).max(20),
  }),
  /** Approves the plan as it is in its file, and sets the mode of the session. */
  z.object({ kind: z.literal('plan'), mode: z.enum(['default', 'autoEdit']) }),
  /** Indices of the accepted hunks of the ask's diff. */
  z.object({ kind: z.literal('hunks'), accepted: z.array(z.int().nonnegative()) }),
  z.object({ kind: z.literal('deny'), reason: z.string().optional() }),
]);

/** Hunks that a decision covers; an absent member means all. The path is absolute, as in `ReviewedFile`. */
const place = z.object({
  path: path.optional(),
  hunkId: count.optional(),
  chapterId: id.optional(),
  writer: z.string().max(8192).optional(),
});
/** Files that a decision covers, as they were shown. Files that have changed since are skipped. */
const shown = z.array(z.object({ path, present: id }));

const to = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), turnId: id }),
  z.object({ kind: z.literal('chapter'), chapterId: id }),
  /** Undoes the writes of one call. Later writes stay. */
  z.object({ kind: z.literal('call'), callId: id }),
]);

export const intentionSchemas = schemaTable({
  /** The page has loaded and wants a snapshot. */
  'panel.ready': {},
  /** The page gained or lost focus. VS Code has no context key for that. */
  'panel.focused': { isFocused: z.boolean() },
  /** Requests the screenshot of a call. Answered by `picture.told`. */
  'panel.picture': { callId: id },
  /** Requests the MCP server's page of a call, which may reach these hosts. Answered by `app.told`. */
  'panel.app': { callId: id, hosts: z.array(z.string().max(300)).max(40) },
  /** A JSON message of such a page. Answered by `app.answered`. `app`: id of the page. */
  'panel.appSent': { app: id, text: z.string().max(1_000_000) },
  /** Leaves out the text that such a page adds to the next prompt. */
  'panel.appLeftOut': { app: id },
  /** The draft changed; empty when sent. `of`: session id, or `new` before its first prompt. */
  'panel.drafted': { of: id, text: z.string() },
  /** During a turn: `next` queues the prompt, `steer` sends it with the next step, `stopAndSend` ends the turn. */
  'prompt.send': { ...prompt, how: z.enum(['steer', 'next', 'stopAndSend']) },
  'turn.stop': {},
  /** These four act on the worktree of the shown session. */
  'worktree.listChanges': {},
  'worktree.bringHome': {},
  /** Merges the user's changes into the worktree. The agent resolves conflicts. */
  'worktree.update': {},
  'worktree.remove': {},
  'container.leave': {},
  /** Continues the newest turn after it failed or was stopped. `endId`: id of the shown end. */
  'turn.retry': { endId: id },
  /** Ends the wait before a retry. */
  'retry.now': {},
  /**
   * `askId`: the ask that was shown; no other ask of the call is decided. `sessionId`: session of the call,
   * if decided in a list. Absent: the shown session.
   */
  'call.decide': { sessionId: id.optional(), callId: id, askId: id, decision },
  /** Opens the proposal of a call in the diff editor. */
  'diff.open': { callId: id },
  /** Opens all changes of the session in the multi-file diff editor. */
  'changes.open': {},
  /** Opens the full output of a call, or the full text of a prompt or thought, in an editor. */
  'output.open': { callId: id },
  /** Opens the screenshot of a call beside the code. */
  'picture.open': { callId: id },
  /** These two act on the open browser page of the shown session. */
  'page.takeOver': {},
  'page.giveBack': {},
  /** Lets the user pick a tab of their own browser, opened with remote debugging, for the agent. */
  'page.share': {},
  /** Ends it for every session. */
  'page.stopSharing': {},
  /** Attaches the selected lines of the editor. */
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
  /** Requests what a rewind would do to files. Answered by `rewind.previewed`. */
  'rewind.preview': { to },
  'rewind.do': { to, scope: z.enum(['files', 'conversation', 'both']) },
  'rewind.undo': {},
  'mode.set': { mode: z.enum(['default', 'autoEdit', 'plan', 'yolo']) },
  'model.set': { model: id },
  /** Sets the effort of a model. Absent: removes its entry. */
  'effort.set': { model: id, effort: z.enum(['low', 'medium', 'high', 'max']).optional() },
  /** Sets an option of the external agent that drives the session. */
  'agent.set': { option: id, value: z.string().max(1000) },
  /** Opens VS Code's picker of models. */
  'model.select': {},
  'session.new': {},
  /** With a query, it opens at the chapter that has its words. */
  'session.open': { sessionId: id, query: z.string().max(1000).optional() },
  /** Moves the session from the background host to this window. */
  'session.bringBack': { sessionId: id },
  /** Opens the session in a new editor tab. */
  'session.openInEditor': { sessionId: id },
  /** Requests sessions with all words of the query in title, chapters or prompts. Empty: all sessions. */
  'sessions.list': { query: z.string().max(1000) },
  'session.rename': { sessionId: id, title },
  /** Moves the session to the trash. `session.restore` restores it until the trash is emptied. */
  'session.delete': { sessionId: id },
  'session.restore': { sessionId: id },
  /** Requests the items of a chapter, or of a call's subagent, that the page does not have. */
  'items.load': { of: id },
  /** Decides how a turn continues whose model failed. `askId`: the question that was shown. */
  'fallback.decide': { askId: id, decision: z.enum(['retry', 'switch', 'stop', 'later', 'upgrade']) },
  'key.set': {},
  /** Requests the available connections, for the card that connects a model. Answered by `connect.told`. */
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
  /** `id`: id of an `OfferedModel`. */
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
  /** Cancels a running search or test. */
  'connect.stop': {},
  'settings.open': {},
  'folder.open': {},
  'trust.manage': {},
  /** Proposes a summary of the oldest part. */
  'context.compress': {},
  'compression.apply': { compressionId: id },
  /** Opens the summary in an editor. Saving applies the edit. */
  'compression.edit': { compressionId: id },
  /** Cancels a running compression, or drops a proposed one. */
  'compression.discard': { compressionId: id },
  'compression.undo': { compressionId: id },
  'pin.set': { id, pinned: z.boolean() },
  /** Requests what fills the context. Answered by `context.described`. */
  'context.describe': {},
  /** Opens the newest request in an editor. */
  'request.show': {},
  'chapter.rename': { chapterId: id, title },
  /** The user folded or unfolded a chapter. The page keeps its own state of that. */
  'chapter.folded': { chapterId: id },
  /** Copies the chapter to the clipboard as Markdown. */
  'chapter.copy': { chapterId: id },
  'chapter.export': { chapterId: id },
  /** Without an id: the shown session. */
  'session.export': { sessionId: id.optional() },
  'queue.change': { prompt: z.object({ id, ...prompt, when: z.enum(['steer', 'next']) }) },
  'queue.remove': { id },
  /** Ends the running turn and sends this prompt. */
  'queue.sendNow': { id },
  'permissions.list': {},
  'permission.remove': { id },
  /** Opens the user's file of rules. */
  'permission.add': {},
  /** Allows or blocks customizations that the workspace brings. */
  'unseen.decide': { allowed: z.boolean(), ids: z.array(id) },
  /** Stops a subagent. Its call fails with what it has found so far. */
  'agent.stop': { callId: id },
  /** Subscribes to the memory inbox. Answered by `inbox.listed`, again after each change. */
  'panel.inbox': {},
  /** `text`: as the user saw or edited it. */
  'inbox.accept': {
    number: z.int().min(1),
    target: z.enum(['workspace', 'user']),
    text: z.string().max(20_000),
  },
  'inbox.drop': { number: z.int().min(1) },
  /** Subscribes to the newest comparison. Answered by `comparison.told`, again after each change. */
  'panel.comparison': {},
  /** Applies the changes of an attempt to the workspace. */
  'comparison.take': { sessionId: id },
  /** Runs the project's tests in the worktree of each resting attempt. */
  'comparison.test': {},
  /** Removes an attempt's worktree after the user confirms. */
  'comparison.discard': { sessionId: id },
  /** Requests statistics of the last `days` days; 0: of all. Answered by `statistics.told`. */
  'panel.statistics': { days: z.int().min(0).max(10_000) },
  /** Saves these statistics as CSV in a file that the user chooses. */
  'statistics.save': { days: z.int().min(0).max(10_000) },
  'mcp.list': {},
  /** Starts the dialog that adds a server. */
  'mcp.add': {},
  'mcp.act': {
    server: id,
    action: z.enum(['restart', 'enable', 'disable', 'signIn', 'signOut', 'showLog', 'openFile']),
  },
  /** Removes a server from the file that `mcp.add` writes, after the user confirms. */
  'mcp.remove': { server: id },
  /** Shows the terminal of a command that waits for input. */
  'command.answer': { callId: id },
  /** Stops a command that has no terminal and runs it again in one. */
  'command.restart': { callId: id },
  /**
   * Acts on a program that this call left running. `keep`: it outlives the window; `forget`: removes an ended one from
   * the list.
   */
  'program.act': { callId: id, action: z.enum(['open', 'showOutput', 'restart', 'stop', 'keep', 'forget']) },
  'plan.open': {},
  /**
   * Requests completions at the caret. `query`: text after the trigger. Answered by `completion.told` with the same
   * number.
   */
  'completion.ask': {
    number: z.int().nonnegative(),
    trigger: z.enum(['@', '/']),
    query: z.string().max(1000),
  },
});

export type IntentionType = keyof typeof intentionSchemas;

/** The message type of one row. */
export type Intention<K extends IntentionType> = Immutable<z.infer<(typeof intentionSchemas)[K]>>;

/** Any message that the page may send. */
export type ToHost = { [K in IntentionType]: Intention<K> }[IntentionType];

export type PanelDecision = Intention<'call.decide'>['decision'];
export type PanelReviewPlace = Intention<'review.accept'>['place'];
export type ProgramAction = Intention<'program.act'>['action'];
export type ShownFile = Intention<'review.accept'>['shown'][number];
export type ApprovalMode = Intention<'mode.set'>['mode'];
export type Attachment = Intention<'prompt.send'>['attachments'][number];
/** The prompt or chapter to go back to, or the call to undo. */
export type RewindTarget = Intention<'rewind.do'>['to'];
export type RewindScope = Intention<'rewind.do'>['scope'];
