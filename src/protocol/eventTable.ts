/*
 * All events of a session, one row each, with the schemas of their members. From the rows follow the types, the
 * validation of journal lines, which members are never masked, and examples. Schemas are made on demand, since a
 * session that only writes its journal needs none.
 */

import * as z from 'zod';
import type { Ask } from './asks.ts';
import { threadSchema } from './comments.ts';
import {
  attachments,
  blobNameSchema,
  cacheLoss,
  classified,
  compressionEndSchema,
  container,
  display,
  fileMode,
  files,
  known,
  message,
  plan,
  program,
  prompt,
  review,
  todos,
  turnEndSchema,
  usage,
  wording,
  worktree,
} from './eventMembers.ts';
import type { HookEvent, HookOutcome } from './hooks.ts';
import type { RewindScope, RewindTarget } from './intentions.ts';
import { later } from './later.ts';
import type { Mention } from './mentions.ts';
import type { FallbackDecision, ModelFailure, RoutedBy } from './routing.ts';
import { exact, foreign, like, table, unchecked, word, words } from './table.ts';
import type { Citation, CompressionTrigger, Effect, FileCounts, NewestPlan, Writer } from './values.ts';
import type { DriverOption } from './worktree.ts';

const number = z.number();
const mode = z.enum(['default', 'autoEdit', 'plan', 'yolo']);

export const events = later(() =>
  table({
    'session.started': {
      sessionId: exact,
      /** Absolute workspace folders. Commands run in the first. */
      folders: z.array(exact),
      model: exact,
      mode,
    },
    /** The journal was read after a reload or a crash. Open work was closed before this event. */
    'session.resumed': {},
    /**
     * The session now works in a worktree, or runs its commands in a container; without either, in the workspace
     * again.
     */
    'session.moved': {
      folders: z.array(exact),
      worktree: worktree().optional(),
      container: container().optional(),
    },
    /**
     * Another agent drives the session. `session`: its own id of the session. Absent: it begins one, and gets the
     * conversation as text.
     */
    'agent.chosen': { name: exact, session: exact.optional() },
    /** Options that the agent offers, with their values. */
    'agent.offered': {
      options: z.array(
        like<DriverOption>(
          z.object({ id: exact, value: exact, values: z.array(z.object({ value: exact })) }),
        ),
      ),
    },
    /** A call changed which worktree changes count as brought home. A rewind to before it restores `before`. */
    'worktree.based': { callId: exact, before: exact },
    /** Changes were moved or a branch was made. `left`: files that are neither at home nor on a branch. */
    'worktree.settled': { left: number, conflicts: number },
    /** The user renamed the session. */
    'session.renamed': { title: words },
    /** All earlier events happened in another session, of this workspace or imported. */
    'session.derived': {
      from: exact,
      /** The agent that wrote the session, if not Folio. */
      agent: unchecked<string>().optional(),
      /** Number of its lines that Folio could not read. */
      unreadable: unchecked<number>().optional(),
    },
    'mode.changed': { mode },
    'model.changed': { model: exact },
    /** A model was chosen for all further steps of the turn. */
    'model.routed': {
      turnId: exact,
      model: exact,
      by: word<RoutedBy>(),
      /** One sentence for the user. Absent where the choice needs no explanation. */
      reason: unchecked<string>().optional(),
    },
    /** A model failed permanently. The user decides how the turn continues. */
    'model.asked': { turnId: exact, failure: like<ModelFailure>(z.object({ model: exact, message: words })) },
    'model.decided': { turnId: exact, decision: word<FallbackDecision>() },
    'turn.started': {
      turnId: exact,
      text: words,
      attachments: attachments(),
      /** Id of the queued prompt that starts here. It leaves the queue. */
      queuedAs: unchecked<string>().optional(),
      wording,
    },
    /** A failed or stopped turn continues. */
    'turn.retried': { turnId: exact },
    'turn.ended': {
      turnId: exact,
      /** Why the agent rests. */
      end: turnEndSchema(),
      /** When the turn last worked, if an interruption ended it long before this event. */
      lastActiveAt: unchecked<number>().optional(),
    },
    /** The files and other mentions of a prompt were read, before the first request of its turn. */
    'mentions.read': { turnId: exact, mentions: z.array(like<Mention>(z.object({}))) },
    'chapter.started': {
      chapterId: exact,
      title: words,
      /** Summary of the chapter that ends here. */
      previousSummary: unchecked<string>().optional(),
    },
    'chapter.renamed': { chapterId: exact, title: words },
    'step.started': {
      stepId: exact,
      /** Number within the turn, from 1. */
      number: unchecked<number>(),
      model: unchecked<string>(),
    },
    /** The partial answer is void. Its text and thoughts are discarded. */
    'step.retried': {
      stepId: exact,
      reason: words,
      /** The model that answers from here on, if another. */
      model: unchecked<string>().optional(),
      /** Number of the next attempt, from 2. */
      attempt: unchecked<number>(),
      maxAttempts: unchecked<number>(),
      delayMs: unchecked<number>(),
    },
    'step.ended': {
      stepId: exact,
      usage: usage().optional(),
      cost: known,
      /** US dollars that the provider's cache saved, minus the cost of filling it. */
      saved: known,
      cacheLoss: cacheLoss().optional(),
      finish: unchecked<string>(),
      citations: unchecked<readonly Citation[]>(),
    },
    /** A request outside the conversation, such as for a summary. It costs, but is not in the history. */
    'side.asked': {
      purpose: unchecked<'summary' | 'loop' | 'nextSpeaker' | 'route' | 'edit' | 'command' | 'memory'>(),
      model: unchecked<string>(),
      usage: usage(),
      cost: known,
    },
    'text.appended': { stepId: exact, text: words },
    'thought.appended': { stepId: exact, text: words },
    'call.requested': {
      callId: exact,
      stepId: exact,
      tool: exact,
      effect: unchecked<Effect>(),
      /** One self-contained line: `Read src/invoice.ts`. */
      title: words,
      /** `title` in the user's language, if that is not English. */
      said: words.optional(),
      /** Arguments of the model, with long strings cut. */
      args: foreign,
    },
    /** A small model classified the call before the user was asked. */
    'call.judged': { callId: exact, judged: classified() },
    'call.asked': {
      callId: exact,
      ask: like<Ask>(z.object({ subject: z.object({ kind: words }) }), { exact: ['cwd'] }),
    },
    'call.decided': {
      callId: exact,
      decision: word<'once' | 'interactive' | 'always' | 'edited' | 'hunks' | 'answers' | 'plan' | 'deny'>(),
      /** Id of the lasting permission that the user chose. */
      choice: unchecked<string>().optional(),
      /** The user's reason for denying. */
      reason: unchecked<string>().optional(),
    },
    /** Emitted again after an ask during the call, and when a command restarts in a terminal. */
    'call.started': {
      callId: exact,
      /** True for a command without a terminal that the user may restart in one. */
      canRestart: z.boolean().optional(),
    },
    /**
     * A delta of live output; below, whether the call's program waits for input, also after the call has ended.
     */
    'call.output': { callId: exact, text: words },
    'call.waited': {
      callId: exact,
      waits: z.boolean(),
      /** Earlier call that started the program. Absent: this call did. */
      startedBy: exact.optional(),
    },
    'call.ended': {
      callId: exact,
      outcome: word<'ok' | 'failed' | 'denied' | 'cancelled'>(),
      display: display(),
      durationMs: unchecked<number>(),
    },
    /** All files that a background command has changed so far, also after its call has ended. */
    'call.changed': { callId: exact, touched: unchecked<readonly FileCounts[]>() },
    /** A program that this call left running has changed. `program` is absent when it leaves the list. */
    'program.changed': { callId: exact, program: program().optional() },
    'todos.changed': { todos: todos() },
    /** A file was saved before Folio or a command wrote it: once per turn and chapter, and after writes of others. */
    'checkpoint.taken': { path: exact, before: blobNameSchema, executable: fileMode },
    'file.written': {
      path: exact,
      after: blobNameSchema,
      executable: fileMode,
      /** `unknown`: found after an interruption, written by Folio or the user. */
      by: unchecked<'call' | 'command' | 'meanwhile' | 'review' | 'rewind' | 'unknown'>(),
      /** Absent if unknown, and in journals of earlier versions. */
      writer: unchecked<Writer>().optional(),
    },
    /** The model read this content of a file, completely or in part, or wrote it. */
    'file.seen': {
      path: exact,
      /** SHA-256 of the text. */
      digest: exact,
    },
    /** The pending review of a file changed. `review` is absent when nothing is left. */
    'review.changed': { path: exact, review: review().optional() },
    /** Pending changes are no longer in the file, as on another branch, and may return. None: none may return. */
    'review.putAside': { path: exact, reviews: z.array(review()) },
    /** A comment thread was created or changed. `thread` is absent when it was deleted. */
    'comment.changed': { id: exact, thread: threadSchema().optional() },
    /** A rewind to before a prompt or chapter, or an undo of one call's writes. */
    'session.rewound': {
      rewindId: exact,
      to: like<RewindTarget>(z.object({ kind: z.enum(['turn', 'chapter', 'call']) })),
      scope: word<RewindScope>(),
      /** Number of the event before the writes of the rewind. Undoing it restores files to there. */
      filesFrom: number,
      /** Number of messages that stay in the history; all if the conversation was not rewound. */
      keptMessages: number,
      /** The to-do list at that point; the current one if the conversation was not rewound. */
      todos: todos(),
      /** The newest plan at that point. */
      plan: unchecked<NewestPlan>().optional(),
      /** Reviews that were pending before this rewind. Undoing it restores them. */
      reviews: z.array(review()),
      files: files(),
    },
    'rewind.undone': { rewindId: exact, files: files() },
    'compression.started': { compressionId: exact, trigger: unchecked<CompressionTrigger>() },
    /** Waits for the user to apply, edit or discard it. */
    'compression.proposed': { compressionId: exact, plan: plan() },
    /** Emitted again with the same id when the user edits the summary afterwards. */
    'compression.applied': { compressionId: exact, trigger: unchecked<CompressionTrigger>(), plan: plan() },
    /** The compression failed or was discarded. The history is unchanged. */
    'compression.ended': { compressionId: exact, end: compressionEndSchema() },
    /** All that the summary replaced is sent again. */
    'compression.undone': { compressionId: exact },
    /** Compressions keep a pinned prompt or answer word for word. `id`: of its turn or step. */
    'pin.changed': { id: exact, pinned: z.boolean() },
    'prompt.queued': { prompt: prompt() },
    /** The user edited a queued prompt. */
    'prompt.changed': { prompt: prompt() },
    /**
     * A prompt left the queue: it steered the running turn, or was removed. One that starts a turn leaves with
     * `turn.started`, so a crash can neither lose it nor send it twice.
     */
    'prompt.unqueued': { id: exact, because: unchecked<'steered' | 'removed'>() },
    'hook.started': {
      runId: exact,
      event: word<HookEvent>(),
      /** Name of the hook, or its command cut to one line; below, the call that it runs around. */
      name: unchecked<string>(),
      callId: unchecked<string>().optional(),
    },
    'hook.ended': {
      runId: exact,
      outcome: word<HookOutcome>(),
      /** One sentence for the user: what the hook decided, or why it failed. The output is cut. */
      summary: unchecked<string>(),
      output: unchecked<string>(),
      durationMs: unchecked<number>(),
    },
    /** A plan is open in an editor for the user's decision. `path` is absolute. */
    'plan.written': { path: exact, title: words },
    'plan.decided': { path: exact, approved: unchecked<boolean>() },
    /** A complete message of the history, to restore it. Secrets of known formats are masked. */
    'message.added': { message: message() },
    /** Parts and tools that a service refused. Parts become a sentence; tools are no longer declared. */
    'parts.refused': {
      model: exact,
      /** Keys made from the content of the parts. */
      refusedKeys: z.array(exact),
      /** Message of the service. */
      reason: words,
    },
    'notice.shown': { level: unchecked<'info' | 'warning' | 'error'>(), text: words },
  }),
);
