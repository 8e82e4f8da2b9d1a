/* The contract between the agent and its tools. */

import type * as z from 'zod';
import type { AskSubject } from '../../protocol/asks.ts';
import type { Blob, Display, Part, TurnEnd } from '../../protocol/events.ts';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import { inEnglish, type Saying } from '../../protocol/language.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { Effect } from '../../protocol/values.ts';
import type { FileSystem, TextFormat } from '../platform/fileSystem.ts';
import type { CommandNeeds, CommandSandbox, HostAnswer } from '../platform/sandbox.ts';

/**
 * A tool knows neither UI nor policy. `prepare` computes what would happen and touches nothing; a user may be
 * asked in between; `run` does it. Both end by returning, by throwing `ToolFailure` (the model reads the reason),
 * or by rejecting with the signal's reason. Anything else thrown is a bug.
 */
export interface Tool<Input = unknown, Plan = unknown> {
  readonly name: string;
  readonly description: string;
  /** Made with the first call: what the model reads of it stands in `declaredInputs.ts`. */
  readonly input: () => z.ZodType<Input>;
  /** Declared in place of `input`'s: the JSON Schema of an object, of tools whose arguments others describe. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the structured result, where others describe it. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** Names of optional arguments that the model is not told of for now, since nobody has a use for them. */
  readonly unused?: () => readonly string[];
  readonly effect: Effect;
  /** The server of a tool that others offer, as the policy classifies all of its calls. */
  readonly of?: Extract<CallTarget, { kind: 'mcp' }>;
  /** False: the model is not told of it for now. Asked before each request; absent: always. */
  readonly isOffered?: () => boolean;
  /** The service of the model refused its declaration, in these words. */
  readonly refused?: (words: string) => void;
  /**
   * After an abort it ends automatically, and soon, once what it began has ended; others are left behind after a
   * moment.
   */
  readonly windsUp?: true;
  /** Comes before all other calls of its batch. */
  readonly first?: true;
  /** The line of shell that it would run and wait for; absent or undefined: it runs none. */
  readonly commandLine?: (input: Input) => string | undefined;
  /** One line for the card that makes sense alone: `Read src/invoice.ts`. */
  readonly title: (input: Input) => string;
  readonly prepare: (input: Input, call: CallContext) => Promise<Prepared<Plan>>;
  readonly run: (
    input: Input,
    plan: Plan,
    call: AdmittedContext,
    surface?: CallerSurface,
  ) => Promise<ToolResult>;
}

export interface Prepared<Plan> {
  readonly plan: Plan;
  /** The subject of the question to a user; readers have none. */
  readonly subject?: AskSubject;
  /** The target that the policy classifies; absent for calls that touch nothing outside the session. */
  readonly target?: CallTarget;
  /** For edits: what may be changed by the user before it is accepted. */
  readonly proposal?: Proposal;
  /** The user's answer is the point of the call: they are asked in every mode, and without one it is denied. */
  readonly mustAsk?: true;
  /** Says what a denial means here, in place of the usual sentences. `said`: the user's words. */
  readonly declined?: (said: string | undefined) => Promise<Declined>;
}

interface Declined {
  /** For the model. */
  readonly reason: string;
  /** One line for the card. */
  readonly summary: Saying;
}

export type CallTarget =
  /** Every path that the call was given, as it was given: it must pass the gate (`core/paths.ts`). */
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly access: 'read' | 'write' }
  /** The user's own memory file; its place comes from the settings, never from the model. */
  | { readonly kind: 'memory'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Absolute and real: the folder it runs in. */
      readonly cwd: string;
      /**
       * The one who runs it holds it as the verdict says; absent: nothing holds it, so it is classified as without a
       * sandbox.
       */
      readonly canBeHeld?: true;
      /** More than the sandbox gives each command. */
      readonly needs?: CommandNeeds;
    }
  /** A line for a shell that runs already, classified as an answer and as a command: the stricter counts. */
  | {
      readonly kind: 'typed';
      readonly text: string;
      /** Absolute: where the shell is, as far as that is known. */
      readonly cwd: string;
    }
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  /** An agent on another server, which gets a task. `origin`: scheme, host and port. */
  | { readonly kind: 'agent'; readonly origin: string }
  | {
      readonly kind: 'mcp';
      readonly server: string;
      /** As the server calls it; empty: its resources. */
      readonly tool: string;
      /** The workspace brings the server: its name may be that of another one, which the user knows. */
      readonly ofWorkspace?: true;
      /** The server's hints about the tool. */
      readonly hints?: ToolHints;
    };

/** Annotations of a server's tool, by their names in the protocol; what it does not say is left out. */
export type ToolHints = Readonly<Record<string, boolean | string>>;

/** File content that the agent wants. */
export interface Proposal {
  /** Absolute. */
  readonly path: string;
  /** Exact text that stands there now; `null`: no file. */
  readonly before: string | null;
  /** Exact text that shall stand there. */
  readonly after: string;
  readonly format: TextFormat;
  /** The user changed `after`; this was the agent's text. */
  readonly agentText?: string;
}

export interface CallContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Live output for the card. */
  readonly write: (text: string) => void;
  /** Says that its program waits for the user to type, or no longer does. `startedBy`: the call that started it. */
  readonly waits?: (waits: boolean, startedBy: string | undefined) => void;
  /**
   * Keeps a whole text for the model to read later, or a JPEG for the user to see; returns its absolute path,
   * `undefined` when the disk fails. `json`: beside the text.
   */
  readonly saveOutput: (output: string | Uint8Array, as?: 'json') => Promise<string | undefined>;
  /**
   * Asks the user while the tool runs: what they took, or that they would not. `withdrawn`: nobody wants to know any
   * more; then it rejects with its reason.
   */
  readonly ask?: (
    question: { readonly reason: Saying; readonly subject: AskSubject },
    withdrawn: AbortSignal,
  ) => Promise<
    | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
    | { readonly kind: string; readonly answers?: undefined }
  >;
}

/** A call that may run. */
export interface AdmittedContext extends CallContext {
  /** The call's own: what it writes through them is checkpointed, named after it, and reviewed. */
  readonly files: FileSystem;
  /** Holds a command; absent: nobody wants it held. */
  readonly sandboxed?: AttendedSandbox;
  /** The proposal as it stands after the user's decision; edit tools write this one. */
  readonly proposal?: Proposal;
  /** The user's answers to the questions. */
  readonly answers?: readonly Answer[];
  /** The user approved the plan; the session shall work in this mode now. */
  readonly approvedPlan?: { readonly mode: ApprovalMode };
  /** The user wants to answer the command in a terminal, or may want it while it runs; absent: they cannot. */
  readonly answering?: 'now' | Restart;
}

export type AttendedSandbox = CommandSandbox & {
  /**
   * Asks whether a command that runs inside the sandbox may connect to hosts that nobody granted. Rejects with the
   * reason of `withdrawn`, and once the call has ended. Absent: nobody can be asked.
   */
  readonly askToConnect?: (hosts: readonly string[], withdrawn: AbortSignal) => Promise<HostAnswer>;
};

/** Describes who makes the call, as far as a tool is concerned with that. */
export interface CallerSurface {
  /** A script reads the result: structured content counts in place of what says the same for a model. */
  readonly forScript?: true;
  /** Opens work, as of a script, that makes calls under this call's card, with the caller's rights. Absent: refused. */
  readonly openWork?: (task: Omit<WorkTask, 'callId'>) => Promise<NestedTask>;
}

export interface WorkTask {
  /** The call that it belongs to. */
  readonly callId: string;
  readonly name: string;
  /** Says what it does, as its card shows it. */
  readonly text: string;
  /** The only tools that it may call, by name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
}

export interface NestedTask {
  /** Aborted when the turn or this work is stopped. */
  readonly signal: AbortSignal;
  /** The user stopped this work alone. */
  readonly isStopped: boolean;
  /** Makes a call under the work's card; several may be open. Never rejects. */
  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<Extract<Part, { kind: 'result' }>>;
  /** Ends calls that are open as cancelled. */
  cancel(reason: string): void;
  close(end: TurnEnd): Promise<void>;
}

export interface Restart {
  /** Aborted when the user wants the command stopped and run again in a terminal. */
  readonly wanted: AbortSignal;
  /** Says that it starts again. */
  readonly begin: () => void;
}

interface ShownResult extends Omit<Display, 'summary'> {
  /** One line for the card. It is said to the user as the call ends, and in English to hooks. */
  readonly summary: Saying;
}

export interface ToolResult {
  /** The text for the model. */
  readonly text: string;
  readonly blobs?: readonly Blob[];
  readonly display: ShownResult;
  /** The tool keeps its output within bounds automatically; else a long text is cut and saved. */
  readonly bounded?: true;
  /** A file that was written, absolute: its new problems are added for the model. */
  readonly wrote?: string;
  /** Folders that were looked into, absolute and real: standing instructions in them are added for the model. */
  readonly folders?: readonly string[];
}

/** The call failed for a reason that the model should know; `message` is a sentence it can act on, in English. */
export class ToolFailure extends Error {
  /** One line for the card. */
  readonly summary: Saying;

  /** @param say what the card shows, and the model reads in English */
  constructor(say: Saying);
  constructor(message: string, summary: Saying);
  constructor(said: string | Saying, summary?: Saying) {
    super(typeof said === 'string' ? said : inEnglish(said));
    this.name = 'ToolFailure';
    this.summary = typeof said === 'string' ? summary! : said;
  }
}

/**
 * Asks a cheaper model one question outside of the conversation, which it does not know; its cost counts for the
 * session. `undefined`: there is no answer. Rejects only with the signal's reason.
 */
export type SideQuery = (
  question: { readonly system: string; readonly text: string },
  signal: AbortSignal,
) => Promise<string | undefined>;

/** The finding of a check after a turn with edits. */
export interface WorkCheck {
  /** One line for the user. */
  readonly notice: string;
  /** For the model to read before it rests; absent: all is well. */
  readonly problems?: string;
}

/** A tool that only reads: nothing to prepare. */
export function defineReader<Input>(
  tool: Omit<Tool<Input, undefined>, 'prepare' | 'run' | 'effect'> & {
    readonly effect?: 'read' | 'note';
    /** The files that it reads, for the policy; readers of no files leave it out. */
    readonly target?: (input: Input) => CallTarget | undefined;
    readonly run: (input: Input, call: AdmittedContext, surface?: CallerSurface) => Promise<ToolResult>;
  },
): Tool<Input, undefined> {
  return {
    ...tool,
    effect: tool.effect ?? 'read',
    prepare: async input => ({ plan: undefined, target: tool.target?.(input) }),
    run: (input, _plan, call, surface) => tool.run(input, call, surface),
  };
}

/** Gives a literal its types; the scheduler holds tools of any input. */
export function defineTool<Input, Plan>(tool: Tool<Input, Plan>): Tool<Input, Plan> {
  return tool;
}

/** A tool of some input and plan, as lists hold it. The scheduler only passes back what the tool itself made. */
// biome-ignore lint/suspicious/noExplicitAny: input and plan are existential here; no other type expresses that.
export type AnyTool = Tool<any, any>;

/** The card shows the text that the model gets, which is within bounds already. */
export function shownResult(text: string, summary: Saying): ToolResult {
  return { text, bounded: true, display: { summary, detail: { kind: 'text', text } } };
}
