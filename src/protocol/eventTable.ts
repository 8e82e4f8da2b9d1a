/*
 * Everything that happens in a session: one row for each event, with the shape of its members. The rows give the
 * types, the check of journal lines, what stays exact on the disk, and examples. It loads the schema library, and makes
 * no schema before it is asked for one: a session that only writes its journal needs none.
 */

import * as z from 'zod';
import type { Ask } from './asks.ts';
import { thread } from './comments.ts';
import {
  attachments,
  blobOrNone,
  cacheLoss,
  classified,
  compressionEnd,
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
  turnEnd,
  usage,
  wording,
  worktree,
} from './eventMembers.ts';
import type { HookEvent, HookOutcome } from './hooks.ts';
import type { RewindPoint, RewindScope } from './intentions.ts';
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
      /** Absolute workspace folders, the first is where commands run. */
      folders: z.array(exact),
      model: exact,
      mode,
    },
    /** The journal was read back after a reload or a crash; open work was closed before this event. */
    'session.resumed': {},
    /**
     * From now on the session works in other folders, those of a worktree, or its commands run in a container; in the
     * workspace again without either.
     */
    'session.moved': {
      folders: z.array(exact),
      worktree: worktree().optional(),
      container: container().optional(),
    },
    /**
     * Another program drives the session. `session`: what it calls its own; absent: it begins one, and is given the
     * conversation as text.
     */
    'agent.chosen': { name: exact, session: exact.optional() },
    /** The choices that the program offers, with their values. */
    'agent.offered': {
      options: z.array(
        like<DriverOption>(
          z.object({ id: exact, value: exact, values: z.array(z.object({ value: exact })) }),
        ),
      ),
    },
    /** A call changes what the session's worktree counts as brought home; a rewind to before it goes back to `before`. */
    'worktree.based': { callId: exact, before: exact },
    /** Changes were moved, or a branch was made: so many files are neither at home nor on one, some of them in conflict. */
    'worktree.settled': { left: number, conflicts: number },
    /** The user gave the session a name of its own. */
    'session.renamed': { title: words },
    /** Everything before it in this journal happened in another session: of this workspace, or brought in from elsewhere. */
    'session.derived': {
      from: exact,
      /** The agent that wrote it, where that is not Folio. */
      agent: unchecked<string>().optional(),
      /** Its lines that were not understood. */
      unreadable: unchecked<number>().optional(),
    },
    'mode.changed': { mode },
    'model.changed': { model: exact },
    /** A model was chosen for the turn; it works on all of its steps until another is routed. */
    'model.routed': {
      turnId: exact,
      model: exact,
      by: word<RoutedBy>(),
      /** One sentence for the user; absent where the choice explains itself. */
      reason: unchecked<string>().optional(),
    },
    /** A model failed for good, and the user decides how the turn continues. */
    'model.asked': { turnId: exact, failure: like<ModelFailure>(z.object({ model: exact, message: words })) },
    'model.decided': { turnId: exact, decision: word<FallbackDecision>() },
    'turn.started': {
      turnId: exact,
      text: words,
      attachments: attachments(),
      /** The waiting prompt that this is; it waits no longer. */
      queuedAs: unchecked<string>().optional(),
      wording,
    },
    /** A turn that had failed or was stopped continues. */
    'turn.retried': { turnId: exact },
    'turn.ended': {
      turnId: exact,
      /** Why the agent rests. */
      end: turnEnd(),
      /** When it was last at work, of one that an interruption had ended long before this event. */
      lastActiveAt: unchecked<number>().optional(),
    },
    /** The contents that a prompt names were read, before the first request of its turn. */
    'mentions.read': { turnId: exact, mentions: z.array(like<Mention>(z.object({}))) },
    'chapter.started': {
      chapterId: exact,
      title: words,
      /** Closes the chapter before this one. */
      previousSummary: unchecked<string>().optional(),
    },
    'chapter.renamed': { chapterId: exact, title: words },
    'step.started': {
      stepId: exact,
      /** From 1 within the turn. */
      number: unchecked<number>(),
      model: unchecked<string>(),
    },
    /** The answer so far is void; its text and thoughts are discarded. */
    'step.retried': {
      stepId: exact,
      reason: words,
      /** Another model answers from here on. */
      model: unchecked<string>().optional(),
      /** The number of the attempt that follows, from 2. */
      attempt: unchecked<number>(),
      maxAttempts: unchecked<number>(),
      delayMs: unchecked<number>(),
    },
    'step.ended': {
      stepId: exact,
      usage: usage().optional(),
      cost: known,
      /** US dollars that the provider's cache saved, what was paid to fill it taken off. */
      saved: known,
      cacheLoss: cacheLoss().optional(),
      finish: unchecked<string>(),
      citations: unchecked<readonly Citation[]>(),
    },
    /** The model answered a question beside the conversation: nothing of it is in the history, but it was spent. */
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
      /** One line that makes sense alone: `Read src/invoice.ts`. */
      title: words,
      /** The same in the user's language, where that is another. */
      said: words.optional(),
      /** Arguments as the model gave them, long strings cut. */
      args: foreign,
    },
    /** A small model was heard on it before a user was asked. */
    'call.judged': { callId: exact, judged: classified() },
    'call.asked': {
      callId: exact,
      ask: like<Ask>(z.object({ subject: z.object({ kind: words }) }), { exact: ['cwd'] }),
    },
    'call.decided': {
      callId: exact,
      decision: word<'once' | 'interactive' | 'always' | 'edited' | 'hunks' | 'answers' | 'plan' | 'deny'>(),
      /** The lasting permission of the ask that was chosen. */
      choice: unchecked<string>().optional(),
      /** The user's words when denying. */
      reason: unchecked<string>().optional(),
    },
    /** It may come again: after an ask at work, and when a command is run again in a terminal. */
    'call.started': {
      callId: exact,
      /** It is a command without a terminal, which the user may have run again in one. */
      canRestart: z.boolean().optional(),
    },
    /**
     * A delta of live output; then whether the call's program waits for the user to type, also once the call has ended.
     */
    'call.output': { callId: exact, text: words },
    'call.waited': {
      callId: exact,
      waits: z.boolean(),
      /** The earlier call that started the program; absent: this one did. */
      startedBy: exact.optional(),
    },
    'call.ended': {
      callId: exact,
      outcome: word<'ok' | 'failed' | 'denied' | 'cancelled'>(),
      display: display(),
      durationMs: unchecked<number>(),
    },
    /** All that its command has changed by now; it continues, or continued, after the call has ended. */
    'call.changed': { callId: exact, touched: unchecked<readonly FileCounts[]>() },
    /** A program that this call left running is another now; `program` is absent when it is not listed any more. */
    'program.changed': { callId: exact, program: program().optional() },
    'todos.changed': { todos: todos() },
    /** A file was kept before Folio or its command wrote; once a turn and chapter, and when others had written. */
    'checkpoint.taken': { path: exact, before: blobOrNone, executable: fileMode },
    'file.written': {
      path: exact,
      after: blobOrNone,
      executable: fileMode,
      /** `unknown`: found after an interruption; Folio may have written it, or the user. */
      by: unchecked<'call' | 'command' | 'meanwhile' | 'review' | 'rewind' | 'unknown'>(),
      /** Absent where nobody knows, and in journals of earlier versions. */
      writer: unchecked<Writer>().optional(),
    },
    /** The model was shown this content of a file, whole or in part, or wrote it. */
    'file.seen': {
      path: exact,
      /** The SHA-256 of its text. */
      digest: exact,
    },
    /** The pending review of one file has changed; `review` is absent when nothing is left. */
    'review.changed': { path: exact, review: review().optional() },
    /** Changes waited in a file that was then found without them, as on another branch; none: none may come back. */
    'review.putAside': { path: exact, reviews: z.array(review()) },
    /** A thread of remarks on lines of a file is new or different now; `thread` is absent when it was deleted. */
    'comment.changed': { id: exact, thread: thread().optional() },
    /** Back to before a prompt or a chapter, or what one call wrote was undone. */
    'session.rewound': {
      rewindId: exact,
      to: like<RewindPoint>(z.object({ kind: z.enum(['turn', 'chapter', 'call']) })),
      scope: word<RewindScope>(),
      /** The event after which its writes stand in the journal; undoing puts files back to there. */
      filesFrom: number,
      /** Messages of the history that stay; all when the conversation was not rewound. */
      keptMessages: number,
      /** The to-do list as it was there; the present one when the conversation was not rewound. */
      todos: todos(),
      /** The newest plan as it was then. */
      plan: unchecked<NewestPlan>().optional(),
      /** The reviews that were pending before this rewind; undoing brings them back. */
      reviews: z.array(review()),
      files: files(),
    },
    'rewind.undone': { rewindId: exact, files: files() },
    'compression.started': { compressionId: exact, trigger: unchecked<CompressionTrigger>() },
    /** A user decides on it: apply, edit, discard. */
    'compression.proposed': { compressionId: exact, plan: plan() },
    /** Comes again with the same id when a user edits the summary afterwards. */
    'compression.applied': { compressionId: exact, trigger: unchecked<CompressionTrigger>(), plan: plan() },
    /** It came to nothing; the history is as it was. */
    'compression.ended': { compressionId: exact, end: compressionEnd() },
    /** The whole of what it replaced is sent again. */
    'compression.undone': { compressionId: exact },
    /** A pinned prompt or answer stays word for word in every compression. `id`: of the prompt's turn or the answer's step. */
    'pin.changed': { id: exact, pinned: z.boolean() },
    'prompt.queued': { prompt: prompt() },
    /** A user changed a waiting prompt. */
    'prompt.changed': { prompt: prompt() },
    /**
     * It waits no longer: told to the model in the turn that runs, or removed. One that is sent leaves with its
     * `turn.started`, so that a crash can neither lose it nor send it twice.
     */
    'prompt.unqueued': { id: exact, because: unchecked<'steered' | 'removed'>() },
    'hook.started': {
      runId: exact,
      event: word<HookEvent>(),
      /** Its name, or its command cut to one line; and the call that it runs around. */
      name: unchecked<string>(),
      callId: unchecked<string>().optional(),
    },
    'hook.ended': {
      runId: exact,
      outcome: word<HookOutcome>(),
      /** One sentence for the user: what it decided, or why it failed. The output is bounded. */
      summary: unchecked<string>(),
      output: unchecked<string>(),
      durationMs: unchecked<number>(),
    },
    /** A plan waits for the user's decision in an editor. `path` is absolute. */
    'plan.written': { path: exact, title: words },
    'plan.decided': { path: exact, approved: unchecked<boolean>() },
    /** A message of the history that the model sees, whole, to restore it; without secrets of known formats. */
    'message.added': { message: message() },
    /** Parts and tools that the service of a model refused: parts become a sentence, tools are not declared any more. */
    'parts.refused': {
      model: exact,
      /** By their content. */
      refusedKeys: z.array(exact),
      /** The service's own words. */
      reason: words,
    },
    'notice.shown': { level: unchecked<'info' | 'warning' | 'error'>(), text: words },
  }),
);
