/* The contract between the agent and its tools. */

import type * as z from 'zod';
import type { AskSubject } from '../../protocol/asks.ts';
import type { Blob, Display, Part, TurnEnd } from '../../protocol/events.ts';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import { inEnglish, type LocalizedMessage, t } from '../../protocol/language.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { Effect } from '../../protocol/values.ts';
import type { FileSystem, TextFormat } from '../platform/fileSystem.ts';
import type { CommandNeeds, CommandSandbox, HostAccessDecision } from '../platform/sandbox.ts';

/**
 * A tool knows neither UI nor policy. `prepare` computes what would happen and changes nothing; a user may be asked in
 * between; `run` does it. Both end by returning, by throwing `ToolFailure` (the model reads the reason), or by
 * rejecting with the signal's reason. Anything else thrown is a bug.
 */
export interface Tool<Input = unknown, Plan = unknown> {
  readonly name: string;
  readonly description: string;
  /** Created at the first call. The model reads the generated schema in `declaredInputs.ts`. */
  readonly input: () => z.ZodType<Input>;
  /** JSON Schema of an object, declared instead of `input` if others describe the arguments. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** JSON Schema of the structured result, if others describe it. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** Names of optional arguments that are hidden from the model while they have no use. */
  readonly unused?: () => readonly string[];
  readonly effect: Effect;
  /** The server that offers the tool. The policy classifies all its calls as this target. */
  readonly of?: Extract<CallTarget, { kind: 'mcp' }>;
  /** False hides the tool from the model for now. Checked before each request. Absent: always offered. */
  readonly isOffered?: () => boolean;
  /** Called with the error message if the model's service refused the declaration. */
  readonly refused?: (words: string) => void;
  /**
   * After an abort it ends on its own, soon after what it started has ended. Other tools are abandoned after a moment.
   */
  readonly windsUp?: true;
  /** Runs before all other calls of its batch. */
  readonly first?: true;
  /** The shell command that it would run and wait for. Absent or undefined: none. */
  readonly commandLine?: (input: Input) => string | undefined;
  /** One line for the card that makes sense on its own: `Read src/invoice.ts`. */
  readonly title: (input: Input) => string;
  readonly prepare: (input: Input, call: CallContext) => Promise<PrepareResult<Plan>>;
  readonly run: (
    input: Input,
    plan: Plan,
    call: ToolRunContext,
    surface?: CallerFacts,
  ) => Promise<ToolResult>;
}

export interface PrepareResult<Plan> {
  readonly plan: Plan;
  /** Subject of the approval request. Readers have none. */
  readonly subject?: AskSubject;
  /** The target that the policy classifies; absent for calls that touch nothing outside the session. */
  readonly target?: CallTarget;
  /** For edits: the change that a user may still edit before accepting it. */
  readonly proposal?: EditProposal;
  /** The call exists to get the user's answer: it asks in every mode, and is denied without one. */
  readonly mustAsk?: true;
  /** Explains a denial instead of the usual sentences. `said`: the user's words. */
  readonly declined?: (said: string | undefined) => Promise<Declined>;
}

interface Declined {
  /** For the model. */
  readonly reason: string;
  /** One line for the card. */
  readonly summary: LocalizedMessage;
}

export type CallTarget =
  /** All paths as the call got them. Each must pass the gate (`core/paths.ts`). */
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly access: 'read' | 'write' }
  /** The user's memory file. Its path comes from the settings, never from the model. */
  | { readonly kind: 'memory'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Absolute and real: the folder that it runs in. */
      readonly cwd: string;
      /**
       * The runner applies the sandbox of the verdict. Absent: nothing does, so it is classified as without a sandbox.
       */
      readonly canBeHeld?: true;
      /** More than the sandbox grants to every command. */
      readonly needs?: CommandNeeds;
    }
  /**
   * Input for a shell that runs already. It is classified as an answer and as a command, and the stricter verdict
   * counts.
   */
  | {
      readonly kind: 'typed';
      readonly text: string;
      /** Absolute: the shell's folder, as far as it is known. */
      readonly cwd: string;
    }
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  /** An agent on another server that gets a task. `origin`: scheme, host and port. */
  | { readonly kind: 'agent'; readonly origin: string }
  | {
      readonly kind: 'mcp';
      readonly server: string;
      /** The server's own name of the tool. Empty: its resources. */
      readonly tool: string;
      /** The workspace configures the server, so it may use the name of a server that the user knows. */
      readonly ofWorkspace?: true;
      /** The server's hints about the tool. */
      readonly hints?: ToolAnnotations;
    };

/** Annotations of a server's tool, with the protocol's names. What the server omits is absent. */
export type ToolAnnotations = Readonly<Record<string, boolean | string>>;

/** Content that the agent proposes for a file. */
export interface EditProposal {
  /** Absolute. */
  readonly path: string;
  /** Exact current content; `null`: no file. */
  readonly before: string | null;
  /** Exact proposed content. */
  readonly after: string;
  readonly format: TextFormat;
  /** The agent's text, if the user changed `after`. */
  readonly agentText?: string;
}

export interface CallContext {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Live output for the card. */
  readonly write: (text: string) => void;
  /** Reports whether its program waits for input of the user. `startedBy`: the call that started it. */
  readonly waits?: (waits: boolean, startedBy: string | undefined) => void;
  /**
   * Saves a text for the model to read later, or a JPEG for the user. Returns its absolute path, `undefined` if the
   * file system fails. `json`: a copy beside the text.
   */
  readonly saveOutput: (output: string | Uint8Array, as?: 'json') => Promise<string | undefined>;
  /**
   * Asks the user while the tool runs, and returns the answers or a refusal. `withdrawn`: aborted if the answer is no
   * longer needed; then it rejects with that reason.
   */
  readonly ask?: (
    question: { readonly reason: LocalizedMessage; readonly subject: AskSubject },
    withdrawn: AbortSignal,
  ) => Promise<
    | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
    | { readonly kind: string; readonly answers?: undefined }
  >;
}

export interface ToolRunContext extends CallContext {
  /** The call's own file system: writes through it are checkpointed, attributed to the call, and reviewed. */
  readonly files: FileSystem;
  /** Sandbox of a command. Absent: none is wanted. */
  readonly sandboxed?: InteractiveSandbox;
  /** The proposal after the user's decision, which edit tools write. */
  readonly proposal?: EditProposal;
  readonly answers?: readonly Answer[];
  /** The user approved the plan: the session continues in this mode. */
  readonly approvedPlan?: { readonly mode: ApprovalMode };
  /** The user wants to answer the command in a terminal, now or while it runs. Absent: they cannot. */
  readonly answering?: 'now' | TerminalRestart;
}

export type InteractiveSandbox = CommandSandbox & {
  /**
   * Asks whether a sandboxed command may connect to hosts without a grant. Rejects with the reason of `withdrawn`, and
   * after the end of the call. Absent: nobody can be asked.
   */
  readonly askToConnect?: (hosts: readonly string[], withdrawn: AbortSignal) => Promise<HostAccessDecision>;
};

/** Properties of the caller that matter to a tool. */
export interface CallerFacts {
  /** A script reads the result: it gets structured content instead of the equivalent text for a model. */
  readonly forScript?: true;
  /**
   * Opens nested work, such as a script, that makes calls under this call's card with the caller's rights. Absent:
   * refused.
   */
  readonly openWork?: (task: Omit<NestedTaskOptions, 'callId'>) => Promise<NestedTask>;
}

export interface NestedTaskOptions {
  readonly callId: string;
  readonly name: string;
  /** Description for its card. */
  readonly text: string;
  /** The only tools that it may call, by name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
}

export interface NestedTask {
  /** Aborted when the turn or this work is stopped. */
  readonly signal: AbortSignal;
  /** The user stopped only this work. */
  readonly isStopped: boolean;
  /** Makes a call under the work's card. Several calls may run at once. Never rejects. */
  call(tool: AnyTool, args: Readonly<Record<string, unknown>>): Promise<Extract<Part, { kind: 'result' }>>;
  /** Ends open calls as cancelled. */
  cancel(reason: string): void;
  close(end: TurnEnd): Promise<void>;
}

export interface TerminalRestart {
  /** Aborted when the user wants the command stopped and run again in a terminal. */
  readonly wanted: AbortSignal;
  /** Reports that it starts again. */
  readonly begin: () => void;
}

interface ShownResult extends Omit<Display, 'summary'> {
  /** One line for the card, shown when the call ends, and given to hooks in English. */
  readonly summary: LocalizedMessage;
}

export interface ToolResult {
  /** The text for the model. */
  readonly text: string;
  readonly blobs?: readonly Blob[];
  readonly display: ShownResult;
  /** The tool limits its output itself. Otherwise long text is cut and saved. */
  readonly bounded?: true;
  /** Absolute path of a written file, whose new problems are added for the model. */
  readonly wrote?: string;
  /** Absolute, real folders that were read: their instruction files are added for the model. */
  readonly folders?: readonly string[];
}

/** The call failed for a reason that helps the model. `message` is an English sentence that it can act on. */
export class ToolFailure extends Error {
  /** One line for the card. */
  readonly summary: LocalizedMessage;

  /** @param say text for the card, and in English for the model */
  constructor(say: LocalizedMessage);
  constructor(message: string, summary: LocalizedMessage);
  constructor(said: string | LocalizedMessage, summary?: LocalizedMessage) {
    super(typeof said === 'string' ? said : inEnglish(said));
    this.name = 'ToolFailure';
    this.summary = typeof said === 'string' ? summary! : said;
  }
}

/** Summary of a failure that the file already has the wanted content, so the card is not red. */
export const noChange: LocalizedMessage = () => t('No change');

/**
 * Asks the model of `folio.cheapModel` one question. It sees nothing of the conversation. Its cost counts for the
 * session. Resolves with `undefined` if no answer came. Rejects only with the signal's reason.
 */
export type AskCheapModel = (
  question: { readonly system: string; readonly text: string },
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Finding of a check after a turn with edits. */
export interface EditCheckResult {
  /** One line for the user. */
  readonly notice: string;
  /** For the model to read before it stops. Absent: no problems. */
  readonly problems?: string;
}

/** Defines a tool that only reads and needs no preparation. */
export function defineReadTool<Input>(
  tool: Omit<Tool<Input, undefined>, 'prepare' | 'run' | 'effect'> & {
    readonly effect?: 'read' | 'note';
    /** The files that it reads, for the policy. Omitted if it reads none. */
    readonly target?: (input: Input) => CallTarget | undefined;
    readonly run: (input: Input, call: ToolRunContext, surface?: CallerFacts) => Promise<ToolResult>;
  },
): Tool<Input, undefined> {
  return {
    ...tool,
    effect: tool.effect ?? 'read',
    prepare: async input => ({ plan: undefined, target: tool.target?.(input) }),
    run: (input, _plan, call, surface) => tool.run(input, call, surface),
  };
}

/** Infers the types of a literal; the scheduler holds tools of any input. */
export function defineTool<Input, Plan>(tool: Tool<Input, Plan>): Tool<Input, Plan> {
  return tool;
}

/** A tool of any input and plan. The scheduler only passes back what the tool itself created. */
// biome-ignore lint/suspicious/noExplicitAny: input and plan are existential here; no other type expresses that.
export type AnyTool = Tool<any, any>;

/** Returns a bounded text for the model and shows the same text on the card. */
export function shownResult(text: string, summary: LocalizedMessage): ToolResult {
  return { text, bounded: true, display: { summary, detail: { kind: 'text', text } } };
}
