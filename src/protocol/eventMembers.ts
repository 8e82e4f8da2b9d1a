/* Members of events that have a shape of their own, for the rows of `eventTable.ts`. */

import * as z from 'zod';
import type { DiffHunk, DiffLine, DisplayDetail, TestCounts } from './asks.ts';
import type { Attachment } from './intentions.ts';
import { later } from './later.ts';
import { exact, foreign, type Immutable, kinds, like, record, unchecked, word, words } from './table.ts';
import type {
  CompressionPart,
  DetachedTask,
  Failure,
  FileCounts,
  KeptPicture,
  Origin,
  RestoredFile,
  SavedApp,
  Todo,
  Writer,
} from './values.ts';

const number = z.number();

/** The name of a blob with the bytes, or `link:` and where a symbolic link leads; `null`: nothing stands there. */
export const blobOrNone = exact.nullable();
/** The file may be run; absent where nobody knows. A hunk that has it stands at no line. */
export const fileMode = unchecked<boolean>().optional();

/** Absent where nobody knows it: dollars without a price, tokens that are not told apart. */
export const known = number.optional();

/** `ask`: it left the decision to the user. `reason` is one sentence of the model. */
export const classified = later(() =>
  z.object({ model: exact, answer: word<'allow' | 'ask'>(), reason: words }),
);

/**
 * Tokens as the provider counts them. `written`: of the prompt, what its cache was given again; `writtenForAnHour`: of
 * these, those that it keeps that long.
 */
export const usage = later(() =>
  z.object({
    prompt: number,
    cached: number,
    output: number,
    thoughts: number,
    written: known,
    writtenForAnHour: known,
  }),
);

/**
 * The provider's cache could not be used, and `tokens` were read again. `provider`: the request began as the one
 * before, and the provider had it no longer.
 */
export const cacheLoss = later(() =>
  z.object({
    by: word<'model' | 'tools' | 'instructions' | 'rewritten' | 'masked' | 'provider'>(),
    tokens: number,
  }),
);

export const attachments = later(() => z.array(like<Attachment>(z.object({ kind: words }))));

/** The text that the model reads instead. */
export const wording = unchecked<string>().optional();

/** `path` and `home` are absolute and real: the roots of its files, and of the working tree that it was made from. */
export const worktree = later(() => record({ name: exact, path: exact, home: exact, base: exact }));

/** `inside`: the first folder of the workspace, as the container sees it. */
export const container = later(() => record({ inside: exact }));

/** A server or watcher that a command left running. */
export const program = later(() =>
  record({
    command: words,
    /** Absent: it could not be started again. */
    pid: known,
    status: word<'running' | 'ended'>(),
    /** The first address of this machine that it printed. */
    address: words.optional(),
    /** Different errors that it printed. */
    errors: number,
    /** It outlives the window. */
    kept: z.boolean().optional(),
    /** A number, or the name of a signal; absent while it runs. */
    exit: exact.optional(),
  }),
);

export const prompt = later(() =>
  record({
    id: exact,
    text: words,
    attachments: attachments(),
    /** `steer`: the model reads it before its next step; `next`: it starts a turn of its own. */
    when: z.enum(['steer', 'next']),
    wording,
    /** The text is a command of the user, behind its `!`: it runs, and no model is asked. */
    command: z.literal(true).optional(),
    /** It waits for a free place, with so many before it. Absent: for the turn that runs, or for the user. */
    ahead: z.int().nonnegative().optional(),
  }),
);

export const todos = later(() => z.array(like<Todo>(z.object({ description: words, status: words }))));

export const turnEnd = later(() =>
  kinds([
    z.object({ kind: z.literal('rested') }),
    z.object({ kind: z.literal('stopped') }),
    /** `retry` grants the same amount once more. */
    record({
      kind: z.literal('budget'),
      budget: record({
        kind: z.enum(['steps', 'tokens', 'money', 'time']),
        scope: word<'turn' | 'session' | 'day'>(),
        /** Steps, tokens, US dollars or milliseconds. */
        limit: number,
        used: unchecked<number>(),
      }),
    }),
    /** `retry` continues without looking for loops. */
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
    z.object({ kind: z.literal('failed'), trouble: like<Failure>(z.object({ message: words })) }),
  ]),
);

export const display = later(() =>
  record({
    /** One line: `42 lines`, `Exit code 1`, `3 matches in 2 files`. */
    summary: words,
    /** Files that a command changed. */
    touched: unchecked<readonly FileCounts[]>().optional(),
    /** One sentence about changes that a rewind will not put back. */
    uncovered: unchecked<string>().optional(),
    /** How many tests it ran, where their runner reports them. */
    tests: unchecked<TestCounts>().optional(),
    /** The page of the browser after the call. */
    picture: unchecked<KeptPicture>({ exact: ['path'] }).optional(),
    /** The page that its server shows of it. */
    app: unchecked<SavedApp>({ exact: ['server', 'uri', 'path'] }).optional(),
    /** It ended without the result of this task, which its server goes on with. */
    task: unchecked<DetachedTask>({ exact: ['server', 'id'] }).optional(),
    detail: unchecked<DisplayDetail>({ exact: ['outputPath'], foreign: ['report'] }).optional(),
  }),
);

const hunk = later(() =>
  record({
    id: number,
    status: z.enum(['pending', 'rejected']),
    /** `count` lines from `start` replace `baseCount` lines from `baseStart` of the base. Lines count from 0. */
    baseStart: unchecked<number>(),
    baseCount: unchecked<number>(),
    start: unchecked<number>(),
    count: unchecked<number>(),
    /** The user has edited these lines since, so undoing the hunk would undo that, too. */
    touched: unchecked<boolean>(),
    /** Chapters in which the agent wrote the hunk, and at most three of its writers; oldest first. */
    chapterIds: z.array(exact),
    writers: unchecked<readonly Writer[]>().optional(),
    /** Nothing of what the agent wrote stands there any more, as after a branch switch: it no longer applies. */
    gone: unchecked<true>().optional(),
    executable: fileMode,
    /** Blob with what the agent had written, where that no longer stands in the file. */
    agent: unchecked<string>({ exact: true }).optional(),
    /** At most some lines, for showing; of a notebook, those of a cell. */
    cell: unchecked<Omit<DiffHunk, 'lines'>>().optional(),
    lines: unchecked<readonly DiffLine[]>(),
    hiddenLines: unchecked<number>(),
  }),
);

export const review = later(() =>
  record({
    /** Absolute. */
    path: exact,
    /** Relative to the first workspace folder where it lies in it; else absolute. */
    shown: words,
    change: z.enum(['created', 'modified', 'deleted']),
    /** The units of the hunks; absent: lines. A file that is deleted or no text is one unit. */
    by: z.enum(['cells', 'file']).optional(),
    /** Blobs with the text before the agent's first unreviewed change, and with the text that stands there. */
    base: exact,
    present: exact,
    hunks: z.array(hunk()),
  }),
);

export const files = later(() => z.array(like<RestoredFile>(z.object({ path: exact }))));

/** Data that a provider wants back in each request beside its answer. */
const wantedBack = later(() => ({
  /** Opaque; goes back to the provider as it came. */
  signature: unchecked<string>({ exact: true }).optional(),
  origin: unchecked<Origin>({ exact: ['thought_signature'] }).optional(),
}));

const blob = later(() =>
  record({
    mimeType: exact,
    /** Base64. */
    data: exact,
  }),
);

/** As it goes into requests, so nothing in it may be of a kind that no provider knows. */
export const message = later(() =>
  record({
    role: z.enum(['user', 'model']),
    parts: z.array(
      z.discriminatedUnion('kind', [
        record({ kind: z.literal('text'), text: words, signature: wantedBack().signature }),
        record({ kind: z.literal('thought'), text: words, ...wantedBack() }),
        record({
          kind: z.literal('call'),
          id: exact,
          name: exact,
          args: foreign,
          /** Why the text that the model wrote is no JSON object; `args` is empty then. */
          unreadable: unchecked<string>().optional(),
          ...wantedBack(),
        }),
        record({
          kind: z.literal('result'),
          id: exact,
          name: exact,
          ok: z.boolean(),
          text: words,
          /** Binary content that belongs to the result. */
          blobs: unchecked<readonly Immutable<z.infer<ReturnType<typeof blob>>>[]>().optional(),
        }),
        z.object({ kind: z.literal('blob'), blob: blob() }),
      ]),
    ),
    /** The user's, said while the agent worked: it goes along with the results before it. */
    meanwhile: unchecked<true>().optional(),
  }),
);

export const plan = later(() =>
  record({
    /** One `<state_snapshot>` element, as the model wrote it or the user edited it. */
    snapshot: words,
    /** The messages in place of the replaced ones: snapshot, acknowledgement, and those that stay word for word. */
    replacement: z.array(message()),
    /** How many messages of the whole history, counted from its beginning, are replaced. */
    keptFrom: number,
    /** Kept messages whose long results were cut. `index`: in the whole history; not less than `keptFrom`. */
    cut: z.array(z.object({ index: number, message: message() })),
    parts: z.array(like<CompressionPart>(z.object({}))),
    /** Tokens of a request. Estimates are scaled by the provider's newest count. */
    tokens: z.object({ before: number, after: number }),
  }),
);

export const compressionEnd = later(() =>
  kinds([
    record({
      kind: z.literal('failed'),
      /** Says what happened and what to do. */
      message: words,
      nothingToDo: unchecked<true>().optional(),
      /** The summary was longer than what it stood for. After an automatic attempt the next ones pause. */
      inflated: unchecked<true>().optional(),
    }),
    z.object({ kind: z.literal('discarded') }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
