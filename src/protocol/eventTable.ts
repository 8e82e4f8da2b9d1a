/*
 * All events of a session, one row each, with the schemas of their members. From the rows follow the types, the
 * validation of journal lines, which members are never masked, and examples. Schemas are made on demand, since a
 * session that only writes its journal needs none.
 */

import * as z from 'zod';
import type { Ask } from './asks.ts';
import { threadSchema } from './comments.ts';
import {
  attachmentsSchema,
  blobNameSchema,
  cacheLossSchema,
  classifiedSchema,
  compressionEndSchema,
  containerSchema,
  displaySchema,
  fileModeSchema,
  filesSchema,
  messageSchema,
  modelTextSchema,
  optionalNumber,
  planSchema,
  programSchema,
  promptSchema,
  reviewSchema,
  todosSchema,
  turnEndSchema,
  usageSchema,
  worktreeSchema,
} from './eventMembers.ts';
import type { HookEvent, HookOutcome } from './hooks.ts';
import type { RewindScope, RewindTarget } from './intentions.ts';
import { lazySchema } from './lazySchema.ts';
import type { Mention } from './mentions.ts';
import type { FallbackDecision, ModelFailure, RoutedBy } from './routing.ts';
import {
  maskedText,
  modelObject,
  openEnum,
  schemaTable,
  typedAs,
  uncheckedSchema,
  unmaskedText,
} from './schemaTable.ts';
import type { Citation, CompressionTrigger, Effect, FileCounts, NewestPlan, Writer } from './values.ts';
import type { DriverOption } from './worktree.ts';

const number = z.number();
const mode = z.enum(['default', 'autoEdit', 'plan', 'yolo']);

export const eventSchemas = lazySchema(() =>
  schemaTable({
    'session.started': {
      sessionId: unmaskedText,
      /** Absolute workspace folders. Commands run in the first. */
      folders: z.array(unmaskedText),
      model: unmaskedText,
      mode,
    },
    /** The journal was read after a reload or a crash. Open work was closed before this event. */
    'session.resumed': {},
    /**
     * The session now works in a worktree, or runs its commands in a container; without either, in the workspace
     * again.
     */
    'session.moved': {
      folders: z.array(unmaskedText),
      worktree: worktreeSchema().optional(),
      container: containerSchema().optional(),
    },
    /**
     * Another agent drives the session. `session`: its own id of the session. Absent: it begins one, and gets the
     * conversation as text.
     */
    'agent.chosen': { name: unmaskedText, session: unmaskedText.optional() },
    /** Options that the agent offers, with their values. */
    'agent.offered': {
      options: z.array(
        typedAs<DriverOption>(
          z.object({
            id: unmaskedText,
            value: unmaskedText,
            values: z.array(z.object({ value: unmaskedText })),
          }),
        ),
      ),
    },
    /** A call changed which worktree changes count as brought home. A rewind to before it restores `before`. */
    'worktree.based': { callId: unmaskedText, before: unmaskedText },
    /** Changes were moved or a branch was made. `left`: files that are neither at home nor on a branch. */
    'worktree.settled': { left: number, conflicts: number },
    /** The user renamed the session. */
    'session.renamed': { title: maskedText },
    /** All earlier events happened in another session, of this workspace or imported. */
    'session.derived': {
      from: unmaskedText,
      /** The agent that wrote the session, if not Folio. */
      agent: uncheckedSchema<string>().optional(),
      /** Number of its lines that Folio could not read. */
      unreadable: uncheckedSchema<number>().optional(),
    },
    'mode.changed': { mode },
    'model.changed': { model: unmaskedText },
    /** A model was chosen for all further steps of the turn. */
    'model.routed': {
      turnId: unmaskedText,
      model: unmaskedText,
      by: openEnum<RoutedBy>(),
      /** One sentence for the user. Absent where the choice needs no explanation. */
      reason: uncheckedSchema<string>().optional(),
    },
    /** A model failed permanently. The user decides how the turn continues. */
    'model.asked': {
      turnId: unmaskedText,
      failure: typedAs<ModelFailure>(z.object({ model: unmaskedText, message: maskedText })),
    },
    'model.decided': { turnId: unmaskedText, decision: openEnum<FallbackDecision>() },
    'turn.started': {
      turnId: unmaskedText,
      text: maskedText,
      attachments: attachmentsSchema(),
      /** Id of the queued prompt that starts here. It leaves the queue. */
      queuedAs: uncheckedSchema<string>().optional(),
      wording: modelTextSchema,
    },
    /** A failed or stopped turn continues. */
    'turn.retried': { turnId: unmaskedText },
    'turn.ended': {
      turnId: unmaskedText,
      /** Why the agent rests. */
      end: turnEndSchema(),
      /** When the turn last worked, if an interruption ended it long before this event. */
      lastActiveAt: uncheckedSchema<number>().optional(),
    },
    /** The files and other mentions of a prompt were read, before the first request of its turn. */
    'mentions.read': { turnId: unmaskedText, mentions: z.array(typedAs<Mention>(z.object({}))) },
    'chapter.started': {
      chapterId: unmaskedText,
      title: maskedText,
      /** Summary of the chapter that ends here. */
      previousSummary: uncheckedSchema<string>().optional(),
    },
    'chapter.renamed': { chapterId: unmaskedText, title: maskedText },
    'step.started': {
      stepId: unmaskedText,
      /** Number within the turn, from 1. */
      number: uncheckedSchema<number>(),
      model: uncheckedSchema<string>(),
    },
    /** The partial answer is void. Its text and thoughts are discarded. */
    'step.retried': {
      stepId: unmaskedText,
      reason: maskedText,
      /** The model that answers from here on, if another. */
      model: uncheckedSchema<string>().optional(),
      /** Number of the next attempt, from 2. */
      attempt: uncheckedSchema<number>(),
      maxAttempts: uncheckedSchema<number>(),
      delayMs: uncheckedSchema<number>(),
    },
    'step.ended': {
      stepId: unmaskedText,
      usage: usageSchema().optional(),
      cost: optionalNumber,
      /** US dollars that the provider's cache saved, minus the cost of filling it. */
      saved: optionalNumber,
      cacheLoss: cacheLossSchema().optional(),
      finish: uncheckedSchema<string>(),
      citations: uncheckedSchema<readonly Citation[]>(),
    },
    /** A request outside the conversation, such as for a summary. It costs, but is not in the history. */
    'side.asked': {
      purpose: uncheckedSchema<
        'summary' | 'loop' | 'nextSpeaker' | 'route' | 'edit' | 'command' | 'memory'
      >(),
      model: uncheckedSchema<string>(),
      usage: usageSchema(),
      cost: optionalNumber,
    },
    'text.appended': { stepId: unmaskedText, text: maskedText },
    'thought.appended': { stepId: unmaskedText, text: maskedText },
    'call.requested': {
      callId: unmaskedText,
      stepId: unmaskedText,
      tool: unmaskedText,
      effect: uncheckedSchema<Effect>(),
      /** One self-contained line: `Read src/invoice.ts`. */
      title: maskedText,
      /** `title` in the user's language, if that is not English. */
      said: maskedText.optional(),
      /** Arguments of the model, with long strings cut. */
      args: modelObject,
    },
    /** A small model classified the call before the user was asked. */
    'call.judged': { callId: unmaskedText, judged: classifiedSchema() },
    'call.asked': {
      callId: unmaskedText,
      ask: typedAs<Ask>(z.object({ subject: z.object({ kind: maskedText }) }), { exact: ['cwd'] }),
    },
    'call.decided': {
      callId: unmaskedText,
      decision: openEnum<
        'once' | 'interactive' | 'always' | 'edited' | 'hunks' | 'answers' | 'plan' | 'deny'
      >(),
      /** Id of the lasting permission that the user chose. */
      choice: uncheckedSchema<string>().optional(),
      /** The user's reason for denying. */
      reason: uncheckedSchema<string>().optional(),
    },
    /** Emitted again after an ask during the call, and when a command restarts in a terminal. */
    'call.started': {
      callId: unmaskedText,
      /** True for a command without a terminal that the user may restart in one. */
      canRestart: z.boolean().optional(),
    },
    /**
     * A delta of live output; below, whether the call's program waits for input, also after the call has ended.
     */
    'call.output': { callId: unmaskedText, text: maskedText },
    'call.waited': {
      callId: unmaskedText,
      waits: z.boolean(),
      /** Earlier call that started the program. Absent: this call did. */
      startedBy: unmaskedText.optional(),
    },
    'call.ended': {
      callId: unmaskedText,
      outcome: openEnum<'ok' | 'failed' | 'denied' | 'cancelled'>(),
      display: displaySchema(),
      durationMs: uncheckedSchema<number>(),
    },
    /** All files that a background command has changed so far, also after its call has ended. */
    'call.changed': { callId: unmaskedText, touched: uncheckedSchema<readonly FileCounts[]>() },
    /** A program that this call left running has changed. `program` is absent when it leaves the list. */
    'program.changed': { callId: unmaskedText, program: programSchema().optional() },
    'todos.changed': { todos: todosSchema() },
    /** A file was saved before Folio or a command wrote it: once per turn and chapter, and after writes of others. */
    'checkpoint.taken': { path: unmaskedText, before: blobNameSchema, executable: fileModeSchema },
    'file.written': {
      path: unmaskedText,
      after: blobNameSchema,
      executable: fileModeSchema,
      /** `unknown`: found after an interruption, written by Folio or the user. */
      by: uncheckedSchema<'call' | 'command' | 'meanwhile' | 'review' | 'rewind' | 'unknown'>(),
      /** Absent if unknown, and in journals of earlier versions. */
      writer: uncheckedSchema<Writer>().optional(),
    },
    /** The model read this content of a file, completely or in part, or wrote it. */
    'file.seen': {
      path: unmaskedText,
      /** SHA-256 of the text. */
      digest: unmaskedText,
    },
    /** The pending review of a file changed. `review` is absent when nothing is left. */
    'review.changed': { path: unmaskedText, review: reviewSchema().optional() },
    /** Pending changes are no longer in the file, as on another branch, and may return. None: none may return. */
    'review.putAside': { path: unmaskedText, reviews: z.array(reviewSchema()) },
    /** A comment thread was created or changed. `thread` is absent when it was deleted. */
    'comment.changed': { id: unmaskedText, thread: threadSchema().optional() },
    /** A rewind to before a prompt or chapter, or an undo of one call's writes. */
    'session.rewound': {
      rewindId: unmaskedText,
      to: typedAs<RewindTarget>(z.object({ kind: z.enum(['turn', 'chapter', 'call']) })),
      scope: openEnum<RewindScope>(),
      /** Number of the event before the writes of the rewind. Undoing it restores files to there. */
      filesFrom: number,
      /** Number of messages that stay in the history; all if the conversation was not rewound. */
      keptMessages: number,
      /** The to-do list at that point; the current one if the conversation was not rewound. */
      todos: todosSchema(),
      /** The newest plan at that point. */
      plan: uncheckedSchema<NewestPlan>().optional(),
      /** Reviews that were pending before this rewind. Undoing it restores them. */
      reviews: z.array(reviewSchema()),
      files: filesSchema(),
    },
    'rewind.undone': { rewindId: unmaskedText, files: filesSchema() },
    'compression.started': { compressionId: unmaskedText, trigger: uncheckedSchema<CompressionTrigger>() },
    /** Waits for the user to apply, edit or discard it. */
    'compression.proposed': { compressionId: unmaskedText, plan: planSchema() },
    /** Emitted again with the same id when the user edits the summary afterwards. */
    'compression.applied': {
      compressionId: unmaskedText,
      trigger: uncheckedSchema<CompressionTrigger>(),
      plan: planSchema(),
    },
    /** The compression failed or was discarded. The history is unchanged. */
    'compression.ended': { compressionId: unmaskedText, end: compressionEndSchema() },
    /** All that the summary replaced is sent again. */
    'compression.undone': { compressionId: unmaskedText },
    /** Compressions keep a pinned prompt or answer word for word. `id`: of its turn or step. */
    'pin.changed': { id: unmaskedText, pinned: z.boolean() },
    'prompt.queued': { prompt: promptSchema() },
    /** The user edited a queued prompt. */
    'prompt.changed': { prompt: promptSchema() },
    /**
     * A prompt left the queue: it steered the running turn, or was removed. One that starts a turn leaves with
     * `turn.started`, so a crash can neither lose it nor send it twice.
     */
    'prompt.unqueued': { id: unmaskedText, because: uncheckedSchema<'steered' | 'removed'>() },
    'hook.started': {
      runId: unmaskedText,
      event: openEnum<HookEvent>(),
      /** Name of the hook, or its command cut to one line; below, the call that it runs around. */
      name: uncheckedSchema<string>(),
      callId: uncheckedSchema<string>().optional(),
    },
    'hook.ended': {
      runId: unmaskedText,
      outcome: openEnum<HookOutcome>(),
      /** One sentence for the user: what the hook decided, or why it failed. The output is cut. */
      summary: uncheckedSchema<string>(),
      output: uncheckedSchema<string>(),
      durationMs: uncheckedSchema<number>(),
    },
    /** A plan is open in an editor for the user's decision. `path` is absolute. */
    'plan.written': { path: unmaskedText, title: maskedText },
    'plan.decided': { path: unmaskedText, approved: uncheckedSchema<boolean>() },
    /** A complete message of the history, to restore it. Secrets of known formats are masked. */
    'message.added': { message: messageSchema() },
    /** Parts and tools that a service refused. Parts become a sentence; tools are no longer declared. */
    'parts.refused': {
      model: unmaskedText,
      /** Keys made from the content of the parts. */
      refusedKeys: z.array(unmaskedText),
      /** Message of the service. */
      reason: maskedText,
    },
    'notice.shown': { level: uncheckedSchema<'info' | 'warning' | 'error'>(), text: maskedText },
  }),
);
