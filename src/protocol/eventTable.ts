/*
 * Everything that happens in a session: one row for each event, with the shape of its members. The types follow from
 * the rows, and so do the check of journal lines, what stays exact on the disk, and the examples of the tests.
 * Whoever imports more than types from here loads the schema library: the page never does.
 */

import * as z from 'zod';
import type { Ask, DiffHunk, DiffLine } from './asks.ts';
import type { RestoredFile, RewindPoint, RewindScope, Writer } from './changes.ts';
import { thread } from './comments.ts';
import type { CompressionPart, CompressionTrigger } from './compression.ts';
import type { Attachment, Citation, DisplayDetail, Effect, FileCounts, Origin, Trouble } from './events.ts';
import type { HookEvent, HookOutcome } from './hooks.ts';
import type { Mention } from './mentions.ts';
import type { FallbackDecision, ModelFailure, RoutedBy } from './routing.ts';
import type { NewestPlan } from './state.ts';
import {
  exact,
  foreign,
  type Immutable,
  kinds,
  like,
  record,
  table,
  unchecked,
  word,
  words,
} from './table.ts';

const number = z.number();
const mode = z.enum(['default', 'autoEdit', 'plan', 'yolo']);

/** The name of a blob with the bytes; `null`: there is no file. */
const blobOrNone = exact.nullable();

/** US dollars; absent where no price is known. */
const cost = number.optional();

/** Tokens as the provider counts them. */
const usage = z.object({ prompt: number, cached: number, output: number, thoughts: number });

const attachments = z.array(like<Attachment>(z.object({ kind: words })));

/** What the model reads in place of the text. */
const wording = unchecked<string>().optional();

const prompt = record({
  id: exact,
  text: words,
  attachments,
  /** `steer`: the model reads it before its next step; `next`: it starts a turn of its own. */
  when: z.enum(['steer', 'next']),
  wording,
});

const todos = z.array(
  z.object({
    description: words,
    status: word<'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked'>(),
  }),
);

const turnEnd = kinds([
  z.object({ kind: z.literal('rested') }),
  z.object({ kind: z.literal('stopped') }),
  /** `retry` grants the same amount once more. */
  record({
    kind: z.literal('budget'),
    budget: record({
      kind: z.enum(['steps', 'tokens', 'money', 'time']),
      scope: word<'turn' | 'session'>(),
      /** Steps, tokens, US dollars or milliseconds. */
      limit: number,
      used: unchecked<number>(),
    }),
  }),
  /** `retry` goes on without looking for loops. */
  record({
    kind: z.literal('loop'),
    loop: record({
      /** `LOOP_DETECTED` in headless output. */
      kind: unchecked<'calls' | 'text' | 'judged'>(),
      /** One sentence: what repeats. */
      detail: words,
    }),
  }),
  /** A hook ended the agent's work. */
  z.object({ kind: z.literal('hook'), reason: words }),
  z.object({ kind: z.literal('failed'), trouble: like<Trouble>(z.object({ message: words })) }),
]);

const display = record({
  /** One line: `42 lines`, `Exit code 1`, `3 matches in 2 files`. */
  summary: words,
  /** Files that a command changed. */
  touched: unchecked<readonly FileCounts[]>().optional(),
  /** What a rewind will not put back, one sentence. */
  uncovered: unchecked<string>().optional(),
  detail: unchecked<DisplayDetail>({ exact: ['outputPath'], foreign: ['report'] }).optional(),
});

const hunk = record({
  id: number,
  status: z.enum(['pending', 'rejected']),
  /** Lines `start … start + count` stand for lines `baseStart … baseStart + baseCount` of the base. From 0. */
  baseStart: unchecked<number>(),
  baseCount: unchecked<number>(),
  start: unchecked<number>(),
  count: unchecked<number>(),
  /** The person wrote into it since: taking it back would take that too. */
  touched: unchecked<boolean>(),
  /** Chapters in which the agent wrote it, and at most three of its writers; oldest first. */
  chapterIds: z.array(exact),
  writers: unchecked<readonly Writer[]>().optional(),
  /** Nothing of what the agent wrote stands there any more, as after a branch switch: it no longer applies. */
  gone: unchecked<true>().optional(),
  /** Blob with what the agent had written, where that no longer stands in the file. */
  agent: unchecked<string>({ exact: true }).optional(),
  /** At most some lines, for showing; of a notebook, those of a cell. */
  cell: unchecked<Omit<DiffHunk, 'lines'>>().optional(),
  lines: unchecked<readonly DiffLine[]>(),
  hiddenLines: unchecked<number>(),
});

const review = record({
  /** Absolute. */
  path: exact,
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  shown: words,
  change: z.enum(['created', 'modified']),
  /** What hunks count; absent: lines. */
  by: z.literal('cells').optional(),
  /** Blobs with the text before the agent's first unreviewed change, and with the text that stands there. */
  base: exact,
  present: exact,
  hunks: z.array(hunk),
});

const files = z.array(like<RestoredFile>(z.object({ path: exact })));

/** What a provider wants to see again in each request beside what it said. */
const wantedBack = {
  /** Opaque; goes back to the provider as it came. */
  signature: unchecked<string>({ exact: true }).optional(),
  origin: unchecked<Origin>({ exact: ['thought_signature'] }).optional(),
};

const blob = record({
  mimeType: exact,
  /** Base64. */
  data: exact,
});

/** As it goes into requests, so nothing in it may be of a kind that no provider knows. */
const message = record({
  role: z.enum(['user', 'model']),
  parts: z.array(
    z.discriminatedUnion('kind', [
      record({ kind: z.literal('text'), text: words, signature: wantedBack.signature }),
      record({ kind: z.literal('thought'), text: words, ...wantedBack }),
      record({ kind: z.literal('call'), id: exact, name: exact, args: foreign, ...wantedBack }),
      record({
        kind: z.literal('result'),
        id: exact,
        name: exact,
        ok: z.boolean(),
        text: words,
        /** Binary content that belongs to the result. */
        blobs: unchecked<readonly Immutable<z.infer<typeof blob>>[]>().optional(),
      }),
      z.object({ kind: z.literal('blob'), blob }),
    ]),
  ),
  /** The user's, said while the agent worked: it goes along with the results before it. */
  meanwhile: unchecked<true>().optional(),
});

const plan = record({
  /** One `<state_snapshot>` element, as the model wrote it or the person edited it. */
  snapshot: words,
  /** What stands in place of the replaced messages: snapshot, acknowledgement, what stays word for word. */
  replacement: z.array(message),
  /** How many messages of the whole history, counted from its beginning, are replaced. */
  keptFrom: number,
  /** Kept messages whose long results were cut. `index`: in the whole history; not less than `keptFrom`. */
  cut: z.array(z.object({ index: number, message })),
  parts: z.array(like<CompressionPart>(z.object({}))),
  /** Of a request. Estimates are scaled by what the provider counted last. */
  tokens: z.object({ before: number, after: number }),
});

const compressionEnd = kinds([
  record({
    kind: z.literal('failed'),
    /** What happened and what to do. */
    message: words,
    nothingToDo: unchecked<true>().optional(),
    /** The summary was longer than what it stood for. After an automatic attempt the next ones pause. */
    inflated: unchecked<true>().optional(),
  }),
  z.object({ kind: z.literal('discarded') }),
  z.object({ kind: z.literal('stopped') }),
]);

export const events = table({
  'session.started': {
    sessionId: exact,
    /** Absolute workspace folders, the first is where commands run. */
    folders: z.array(exact),
    model: exact,
    mode,
  },
  /** The journal was read back after a reload or a crash; open work was closed before this event. */
  'session.resumed': {},
  /** The person gave the session a name of its own. */
  'session.renamed': { title: words },
  'mode.changed': { mode },
  'model.changed': { model: exact },
  /** A model was chosen for the turn; it works on all of its steps until another is routed. */
  'model.routed': {
    turnId: exact,
    model: exact,
    by: word<RoutedBy>(),
    /** One sentence for the person; absent where the choice explains itself. */
    reason: unchecked<string>().optional(),
  },
  /** A model failed for good, and the person decides how the turn goes on. */
  'model.asked': { turnId: exact, failure: like<ModelFailure>(z.object({ model: exact, message: words })) },
  'model.decided': { turnId: exact, decision: word<FallbackDecision>() },
  'turn.started': {
    turnId: exact,
    text: words,
    attachments,
    /** The waiting prompt that this is; it waits no longer. */
    queuedAs: unchecked<string>().optional(),
    wording,
  },
  /** A turn that had failed or was stopped goes on. */
  'turn.retried': { turnId: exact },
  'turn.ended': {
    turnId: exact,
    /** Why the agent rests. */
    end: turnEnd,
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
    usage: usage.optional(),
    cost,
    finish: unchecked<string>(),
    citations: unchecked<readonly Citation[]>(),
  },
  /** The model answered a question beside the conversation: nothing of it is in the history, but it was spent. */
  'side.asked': {
    purpose: unchecked<'summary' | 'loop' | 'nextSpeaker' | 'route' | 'edit'>(),
    model: unchecked<string>(),
    usage,
    cost,
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
    /** Arguments as the model gave them, long strings cut. */
    args: foreign,
  },
  'call.asked': {
    callId: exact,
    ask: like<Ask>(z.object({ subject: z.object({ kind: words }) }), { exact: ['cwd'] }),
  },
  'call.decided': {
    callId: exact,
    decision: word<'once' | 'always' | 'edited' | 'hunks' | 'answers' | 'plan' | 'deny'>(),
    /** What the person wrote when denying. */
    reason: unchecked<string>().optional(),
  },
  'call.started': { callId: exact },
  /** Live output of a running call, a delta. */
  'call.output': { callId: exact, text: words },
  'call.ended': {
    callId: exact,
    outcome: word<'ok' | 'failed' | 'denied' | 'cancelled'>(),
    display,
    durationMs: unchecked<number>(),
  },
  'todos.changed': { todos },
  /**
   * The bytes of a file were kept before Folio, or a command that it ran, wrote to it; once a turn and chapter, and
   * again when others had written meanwhile. `path` is absolute.
   */
  'checkpoint.taken': { path: exact, before: blobOrNone },
  'file.written': {
    /** Absolute. */
    path: exact,
    after: blobOrNone,
    /** `unknown`: found after an interruption; Folio may have written it, or the person. */
    by: unchecked<'call' | 'command' | 'review' | 'rewind' | 'unknown'>(),
    /** Absent where nobody knows, and in journals of earlier versions. */
    writer: unchecked<Writer>().optional(),
  },
  /** What waits for review in one file is different now; `review` is absent when nothing is left. */
  'review.changed': { path: exact, review: review.optional() },
  /** A thread of remarks on lines of a file is new or different now; `thread` is absent when it was deleted. */
  'comment.changed': { id: exact, thread: thread.optional() },
  /** Back to before a prompt or a chapter. */
  'session.rewound': {
    rewindId: exact,
    to: like<RewindPoint>(z.object({ kind: z.enum(['turn', 'chapter']) })),
    scope: word<RewindScope>(),
    /** The event after which its writes stand in the journal; undoing puts files back to there. */
    filesFrom: number,
    /** Messages of the history that stay; all when the conversation was not rewound. */
    keptMessages: number,
    /** The to-do list as it was there; the present one when the conversation was not rewound. */
    todos,
    /** The newest plan as it was then. */
    plan: unchecked<NewestPlan>().optional(),
    /** What waited for review before this rewind; undoing brings it back. */
    reviews: z.array(review),
    files,
  },
  'rewind.undone': { rewindId: exact, files },
  'compression.started': { compressionId: exact, trigger: unchecked<CompressionTrigger>() },
  /** A person decides on it: apply, edit, discard. */
  'compression.proposed': { compressionId: exact, plan },
  /** Comes again with the same id when a person edits the summary afterwards. */
  'compression.applied': { compressionId: exact, trigger: unchecked<CompressionTrigger>(), plan },
  /** It came to nothing; the history is as it was. */
  'compression.ended': { compressionId: exact, end: compressionEnd },
  /** The whole of what it replaced is sent again. */
  'compression.undone': { compressionId: exact },
  /** A pinned prompt or answer stays word for word in every compression. `id`: of the prompt's turn or the answer's step. */
  'pin.changed': { id: exact, pinned: z.boolean() },
  'prompt.queued': { prompt },
  /** A person changed a waiting prompt. */
  'prompt.changed': { prompt },
  /**
   * It waits no longer: told to the model in the turn that runs, or removed. One that is sent leaves with its
   * `turn.started`, so that a crash can neither lose it nor send it twice.
   */
  'prompt.unqueued': { id: exact, because: unchecked<'steered' | 'removed'>() },
  'hook.started': {
    runId: exact,
    event: word<HookEvent>(),
    /** Its name, or its command cut to one line. */
    name: unchecked<string>(),
    /** Of the call it runs around. */
    callId: unchecked<string>().optional(),
  },
  'hook.ended': {
    runId: exact,
    outcome: word<HookOutcome>(),
    /** One sentence for the person: what it decided, or why it failed. */
    summary: unchecked<string>(),
    /** What it printed, bounded. */
    output: unchecked<string>(),
    durationMs: unchecked<number>(),
  },
  /** A plan waits for the person's decision in an editor. `path` is absolute. */
  'plan.written': { path: exact, title: words },
  'plan.decided': { path: exact, approved: unchecked<boolean>() },
  /**
   * One message of the history that the model sees, whole, so that the journal alone can restore it; there without
   * secrets of known formats.
   */
  'message.added': { message },
  'notice.shown': { level: unchecked<'info' | 'warning' | 'error'>(), text: words },
});
