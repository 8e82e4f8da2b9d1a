/* Schemas of event members for the rows of `eventTable.ts`. */

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
  PartOrigin,
  RestoredFile,
  SavedMcpApp,
  Todo,
  Writer,
} from './values.ts';

const number = z.number();

/** Name of a blob with the bytes, or `link:` and the target of a symbolic link; `null`: no such file. */
export const blobNameSchema = exact.nullable();
/** Executable bit. Absent: unknown. A hunk with it has no line. */
export const fileMode = unchecked<boolean>().optional();

/** Absent where unknown, such as dollars without a price, or tokens that the provider does not tell apart. */
export const known = number.optional();

/** `ask`: the model leaves the decision to the user. `reason`: one sentence of the model. */
export const classified = later(() =>
  z.object({ model: exact, answer: word<'allow' | 'ask'>(), reason: words }),
);

/**
 * Tokens as the provider counts them. `written`: part of the prompt that was written to its cache;
 * `writtenForAnHour`: part of `written` that the cache keeps for an hour.
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
 * A miss of the provider's cache: `tokens` were read again. `provider`: the request began like the previous one, but
 * the provider had dropped it.
 */
export const cacheLoss = later(() =>
  z.object({
    by: word<'model' | 'tools' | 'instructions' | 'rewritten' | 'masked' | 'provider'>(),
    tokens: number,
  }),
);

export const attachments = later(() => z.array(like<Attachment>(z.object({ kind: words }))));

/** Text for the model in place of the displayed one. */
export const wording = unchecked<string>().optional();

/** `path`: its root; `home`: root of the working tree it was made from. Both absolute, with links resolved. */
export const worktree = later(() => record({ name: exact, path: exact, home: exact, base: exact }));

/** `inside`: path of the first workspace folder in the container. */
export const container = later(() => record({ inside: exact }));

/** A server or watcher that a command left running. */
export const program = later(() =>
  record({
    command: words,
    /** Absent: the program could not be restarted. */
    pid: known,
    status: word<'running' | 'ended'>(),
    /** First address of this machine that the program printed. */
    address: words.optional(),
    /** Number of distinct errors that the program printed. */
    errors: number,
    /** The program outlives the window. */
    kept: z.boolean().optional(),
    /** Exit code or signal name. Absent while the program runs. */
    exit: exact.optional(),
  }),
);

export const prompt = later(() =>
  record({
    id: exact,
    text: words,
    attachments: attachments(),
    /** `steer`: the model reads it before its next step. `next`: it starts its own turn. */
    when: z.enum(['steer', 'next']),
    wording,
    /** The text is a command that the user typed after `!`. It runs without a model. */
    command: z.literal(true).optional(),
    /** Prompts ahead of it in the wait for a free place. Absent: it waits for the running turn, or for the user. */
    ahead: z.int().nonnegative().optional(),
  }),
);

export const todos = later(() => z.array(like<Todo>(z.object({ description: words, status: words }))));

export const turnEndSchema = later(() =>
  kinds([
    z.object({ kind: z.literal('rested') }),
    z.object({ kind: z.literal('stopped') }),
    /** `retry` grants the same amount again. */
    record({
      kind: z.literal('budget'),
      budget: record({
        kind: z.enum(['steps', 'tokens', 'money', 'time']),
        scope: word<'turn' | 'session' | 'day'>(),
        /** In steps, tokens, US dollars or milliseconds. */
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
        /** One sentence that names the repetition. */
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
    /** True if an edit failed because the file already has the wanted content. */
    unchanged: unchecked<boolean>().optional(),
    /** Files that a command changed. */
    touched: unchecked<readonly FileCounts[]>().optional(),
    /** One sentence about changes that a rewind cannot restore. */
    uncovered: unchecked<string>().optional(),
    /** Test counts, where the runner reports them. */
    tests: unchecked<TestCounts>().optional(),
    /** Screenshot of the browser page after the call. */
    picture: unchecked<KeptPicture>({ exact: ['path'] }).optional(),
    /** Page of the MCP server for this call. */
    app: unchecked<SavedMcpApp>({ exact: ['server', 'uri', 'path'] }).optional(),
    /** Task that the server continues after the call ended without its result. */
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
    /** The user has edited these lines since. Undoing the hunk would undo these edits, too. */
    touched: unchecked<boolean>(),
    /** Chapters in which the agent wrote the hunk, and at most three of its writers, oldest first. */
    chapterIds: z.array(exact),
    writers: unchecked<readonly Writer[]>().optional(),
    /** None of the agent's text is left, as after a branch switch, so the hunk no longer applies. */
    gone: unchecked<true>().optional(),
    executable: fileMode,
    /** Blob with the agent's text, if the file no longer contains it. */
    agent: unchecked<string>({ exact: true }).optional(),
    /** A few lines for display; for a notebook those of the cell. */
    cell: unchecked<Omit<DiffHunk, 'lines'>>().optional(),
    lines: unchecked<readonly DiffLine[]>(),
    hiddenLines: unchecked<number>(),
  }),
);

export const review = later(() =>
  record({
    /** Absolute. */
    path: exact,
    /** Relative to the first workspace folder if inside it, otherwise absolute. */
    shown: words,
    change: z.enum(['created', 'modified', 'deleted']),
    /** Unit of the hunks. Absent: lines. A deleted or binary file is one unit. */
    by: z.enum(['cells', 'file']).optional(),
    /** Blobs with the text before the agent's first unreviewed change, and with the current text. */
    base: exact,
    present: exact,
    hunks: z.array(hunk()),
  }),
);

export const files = later(() => z.array(like<RestoredFile>(z.object({ path: exact }))));

/** Data that a provider requires back in each request. */
const wantedBack = later(() => ({
  /** Opaque, returned to the provider unchanged. */
  signature: unchecked<string>({ exact: true }).optional(),
  origin: unchecked<PartOrigin>({ exact: ['thought_signature'] }).optional(),
}));

const blob = later(() =>
  record({
    mimeType: exact,
    /** Base64. */
    data: exact,
  }),
);

/** A message as sent in requests: every part needs a kind that the providers know. */
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
          /** Why the arguments are not a JSON object. `args` is then empty. */
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
    /** A prompt that steers the running turn, sent together with the results before it. */
    meanwhile: unchecked<true>().optional(),
  }),
);

export const plan = later(() =>
  record({
    /** One `<state_snapshot>` element, written by the model or edited by the user. */
    snapshot: words,
    /** Messages that replace the summarised ones: snapshot, acknowledgement, and pinned messages. */
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

export const compressionEndSchema = later(() =>
  kinds([
    record({
      kind: z.literal('failed'),
      /** Says what happened and what to do. */
      message: words,
      nothingToDo: unchecked<true>().optional(),
      /** The summary was longer than the original. This pauses automatic compression. */
      inflated: unchecked<true>().optional(),
    }),
    z.object({ kind: z.literal('discarded') }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
