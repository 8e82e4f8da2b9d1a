/* Schemas of event members for the rows of `eventTable.ts`. */

import * as z from 'zod';
import type { DiffHunk, DiffLine, DisplayDetail, TestCounts } from './asks.ts';
import type { Attachment } from './intentions.ts';
import { lazySchema } from './lazySchema.ts';
import {
  type Immutable,
  maskedText,
  modelObject,
  objectSchema,
  openEnum,
  typedAs,
  uncheckedSchema,
  unionByKind,
  unmaskedText,
} from './schemaTable.ts';
import type {
  CompressionPart,
  DetachedTask,
  Failure,
  FileCounts,
  KeptPicture,
  PartWireData,
  RestoredFile,
  SavedMcpApp,
  Todo,
  Writer,
} from './values.ts';

const number = z.number();

/** Name of a blob with the bytes, or `link:` and the target of a symbolic link; `null`: no such file. */
export const blobNameSchema = unmaskedText.nullable();
/** Executable bit. Absent: unknown. A hunk with it has no line. */
export const fileModeSchema = uncheckedSchema<boolean>().optional();

/** Absent where unknown, such as dollars without a price, or tokens that the provider does not tell apart. */
export const optionalNumber = number.optional();

/** `ask`: the model leaves the decision to the user. `reason`: one sentence of the model. */
export const classifiedSchema = lazySchema(() =>
  z.object({ model: unmaskedText, answer: openEnum<'allow' | 'ask'>(), reason: maskedText }),
);

/**
 * Tokens as the provider counts them. `written`: part of the prompt that was written to its cache;
 * `writtenForAnHour`: part of `written` that the cache keeps for an hour.
 */
export const usageSchema = lazySchema(() =>
  z.object({
    prompt: number,
    cached: number,
    output: number,
    thoughts: number,
    written: optionalNumber,
    writtenForAnHour: optionalNumber,
  }),
);

/**
 * A miss of the provider's cache: `tokens` were read again. `provider`: the request began like the previous one, but
 * the provider had dropped it.
 */
export const cacheLossSchema = lazySchema(() =>
  z.object({
    by: openEnum<'model' | 'tools' | 'instructions' | 'rewritten' | 'masked' | 'provider'>(),
    tokens: number,
  }),
);

export const attachmentsSchema = lazySchema(() =>
  z.array(typedAs<Attachment>(z.object({ kind: maskedText }))),
);

/** Text for the model in place of the displayed one. */
export const modelTextSchema = uncheckedSchema<string>().optional();

/** `path`: its root; `home`: root of the working tree it was made from. Both absolute, with links resolved. */
export const worktreeSchema = lazySchema(() =>
  objectSchema({ name: unmaskedText, path: unmaskedText, home: unmaskedText, base: unmaskedText }),
);

/** `inside`: path of the first workspace folder in the container. */
export const containerSchema = lazySchema(() => objectSchema({ inside: unmaskedText }));

/** A server or watcher that a command left running. */
export const programSchema = lazySchema(() =>
  objectSchema({
    command: maskedText,
    /** Absent: the program could not be restarted. */
    pid: optionalNumber,
    status: openEnum<'running' | 'ended'>(),
    /** First address of this machine that the program printed. */
    address: maskedText.optional(),
    /** Number of distinct errors that the program printed. */
    errors: number,
    /** The program outlives the window. */
    kept: z.boolean().optional(),
    /** Exit code or signal name. Absent while the program runs. */
    exit: unmaskedText.optional(),
  }),
);

export const promptSchema = lazySchema(() =>
  objectSchema({
    id: unmaskedText,
    text: maskedText,
    attachments: attachmentsSchema(),
    /** `steer`: the model reads it before its next step. `next`: it starts its own turn. */
    when: z.enum(['steer', 'next']),
    wording: modelTextSchema,
    /** The text is a command that the user typed after `!`. It runs without a model. */
    command: z.literal(true).optional(),
    /** Prompts ahead of it in the wait for a free place. Absent: it waits for the running turn, or for the user. */
    ahead: z.int().nonnegative().optional(),
  }),
);

export const todosSchema = lazySchema(() =>
  z.array(typedAs<Todo>(z.object({ description: maskedText, status: maskedText }))),
);

export const turnEndSchema = lazySchema(() =>
  unionByKind([
    z.object({ kind: z.literal('rested') }),
    z.object({ kind: z.literal('stopped') }),
    /** `retry` grants the same amount again. */
    objectSchema({
      kind: z.literal('budget'),
      budget: objectSchema({
        kind: z.enum(['steps', 'tokens', 'money', 'time']),
        scope: openEnum<'turn' | 'session' | 'day'>(),
        /** In steps, tokens, US dollars or milliseconds. */
        limit: number,
        used: uncheckedSchema<number>(),
      }),
    }),
    /** `retry` continues without looking for loops. */
    objectSchema({
      kind: z.literal('loop'),
      loop: objectSchema({
        /** `LOOP_DETECTED` in headless output. */
        kind: uncheckedSchema<'calls' | 'text' | 'judged'>(),
        /** One sentence that names the repetition. */
        detail: maskedText,
      }),
    }),
    /** A hook ended the agent's work. */
    z.object({ kind: z.literal('hook'), reason: maskedText }),
    z.object({ kind: z.literal('failed'), trouble: typedAs<Failure>(z.object({ message: maskedText })) }),
  ]),
);

export const displaySchema = lazySchema(() =>
  objectSchema({
    /** One line: `42 lines`, `Exit code 1`, `3 matches in 2 files`. */
    summary: maskedText,
    /** True if an edit failed because the file already has the wanted content. */
    unchanged: uncheckedSchema<boolean>().optional(),
    /** Files that a command changed. */
    touched: uncheckedSchema<readonly FileCounts[]>().optional(),
    /** One sentence about changes that a rewind cannot restore. */
    uncovered: uncheckedSchema<string>().optional(),
    /** Test counts, where the runner reports them. */
    tests: uncheckedSchema<TestCounts>().optional(),
    /** Screenshot of the browser page after the call. */
    picture: uncheckedSchema<KeptPicture>({ exact: ['path'] }).optional(),
    /** Page of the MCP server for this call. */
    app: uncheckedSchema<SavedMcpApp>({ exact: ['server', 'uri', 'path'] }).optional(),
    /** Task that the server continues after the call ended without its result. */
    task: uncheckedSchema<DetachedTask>({ exact: ['server', 'id'] }).optional(),
    detail: uncheckedSchema<DisplayDetail>({ exact: ['outputPath'], foreign: ['report'] }).optional(),
  }),
);

const hunk = lazySchema(() =>
  objectSchema({
    id: number,
    status: z.enum(['pending', 'rejected']),
    /** `count` lines from `start` replace `baseCount` lines from `baseStart` of the base. Lines count from 0. */
    baseStart: uncheckedSchema<number>(),
    baseCount: uncheckedSchema<number>(),
    start: uncheckedSchema<number>(),
    count: uncheckedSchema<number>(),
    /** The user has edited these lines since. Undoing the hunk would undo these edits, too. */
    touched: uncheckedSchema<boolean>(),
    /** Chapters in which the agent wrote the hunk, and at most three of its writers, oldest first. */
    chapterIds: z.array(unmaskedText),
    writers: uncheckedSchema<readonly Writer[]>().optional(),
    /** None of the agent's text is left, as after a branch switch, so the hunk no longer applies. */
    gone: uncheckedSchema<true>().optional(),
    executable: fileModeSchema,
    /** Blob with the agent's text, if the file no longer contains it. */
    agent: uncheckedSchema<string>({ exact: true }).optional(),
    /** A few lines for display; for a notebook those of the cell. */
    cell: uncheckedSchema<Omit<DiffHunk, 'lines'>>().optional(),
    lines: uncheckedSchema<readonly DiffLine[]>(),
    hiddenLines: uncheckedSchema<number>(),
  }),
);

export const reviewSchema = lazySchema(() =>
  objectSchema({
    /** Absolute. */
    path: unmaskedText,
    /** Relative to the first workspace folder if inside it, otherwise absolute. */
    shown: maskedText,
    change: z.enum(['created', 'modified', 'deleted']),
    /** Unit of the hunks. Absent: lines. A deleted or binary file is one unit. */
    by: z.enum(['cells', 'file']).optional(),
    /** Blobs with the text before the agent's first unreviewed change, and with the current text. */
    base: unmaskedText,
    present: unmaskedText,
    hunks: z.array(hunk()),
  }),
);

export const filesSchema = lazySchema(() => z.array(typedAs<RestoredFile>(z.object({ path: unmaskedText }))));

/** Data that a provider requires back in each request. */
const wantedBack = lazySchema(() => ({
  /** Opaque, returned to the provider unchanged. */
  signature: uncheckedSchema<string>({ exact: true }).optional(),
  origin: uncheckedSchema<PartWireData>({ exact: ['thought_signature'] }).optional(),
}));

const blob = lazySchema(() =>
  objectSchema({
    mimeType: unmaskedText,
    /** Base64. */
    data: unmaskedText,
  }),
);

/** A message as sent in requests: every part needs a kind that the providers know. */
export const messageSchema = lazySchema(() =>
  objectSchema({
    role: z.enum(['user', 'model']),
    parts: z.array(
      z.discriminatedUnion('kind', [
        objectSchema({ kind: z.literal('text'), text: maskedText, signature: wantedBack().signature }),
        objectSchema({ kind: z.literal('thought'), text: maskedText, ...wantedBack() }),
        objectSchema({
          kind: z.literal('call'),
          id: unmaskedText,
          name: unmaskedText,
          args: modelObject,
          /** Why the arguments are not a JSON object. `args` is then empty. */
          unreadable: uncheckedSchema<string>().optional(),
          ...wantedBack(),
        }),
        objectSchema({
          kind: z.literal('result'),
          id: unmaskedText,
          name: unmaskedText,
          ok: z.boolean(),
          text: maskedText,
          /** Binary content that belongs to the result. */
          blobs: uncheckedSchema<readonly Immutable<z.infer<ReturnType<typeof blob>>>[]>().optional(),
        }),
        z.object({ kind: z.literal('blob'), blob: blob() }),
      ]),
    ),
    /** A prompt that steers the running turn, sent together with the results before it. */
    meanwhile: uncheckedSchema<true>().optional(),
  }),
);

export const planSchema = lazySchema(() =>
  objectSchema({
    /** One `<state_snapshot>` element, written by the model or edited by the user. */
    snapshot: maskedText,
    /** Messages that replace the summarised ones: snapshot, acknowledgement, and pinned messages. */
    replacement: z.array(messageSchema()),
    /** How many messages of the whole history, counted from its beginning, are replaced. */
    keptFrom: number,
    /** Kept messages whose long results were cut. `index`: in the whole history; not less than `keptFrom`. */
    cut: z.array(z.object({ index: number, message: messageSchema() })),
    parts: z.array(typedAs<CompressionPart>(z.object({}))),
    /** Tokens of a request. Estimates are scaled by the provider's newest count. */
    tokens: z.object({ before: number, after: number }),
  }),
);

export const compressionEndSchema = lazySchema(() =>
  unionByKind([
    objectSchema({
      kind: z.literal('failed'),
      /** Says what happened and what to do. */
      message: maskedText,
      nothingToDo: uncheckedSchema<true>().optional(),
      /** The summary was longer than the original. This pauses automatic compression. */
      inflated: uncheckedSchema<true>().optional(),
    }),
    z.object({ kind: z.literal('discarded') }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
