import type { ApprovalMode } from '../../../../protocol/intentions.ts';
import type { Container } from '../../../../protocol/worktree.ts';

/** All input of the system prompt, as plain data, so that the prompt is a pure function of it. */
export interface PromptFacts {
  /** A user is present to approve and answer. */
  readonly interactive: boolean;
  readonly mode: ApprovalMode;
  /** Model id of the provider. */
  readonly model: string;
  /** Names of the tools that the request declares. */
  readonly tools: readonly string[];
  /** Subagents that `invoke_agent` can start; absent or empty: none. */
  readonly agents?: readonly DescribedName[];
  /** Skills that `activate_skill` can load; absent or empty: none. */
  readonly skills?: readonly DescribedName[];
  /** Instructions of running servers; absent or empty: none. */
  readonly servers?: readonly ServerInstructions[];
  /** Diagrams and charts in answers are rendered for the user. */
  readonly drawsFigures?: boolean | undefined;
  /** Absolute folder of Folio's documentation; absent: not found. */
  readonly docs?: string;
  /** Absolute workspace folders. Relative paths start at the first. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  readonly hasGit: boolean;
  /** The folders are a separate worktree; absent: they are the user's. */
  readonly isWorktree?: boolean | undefined;
  /** The first of ten ports reserved for the session's servers; absent: any port may be used. */
  readonly portBase?: number | undefined;
  /** The container for commands; absent: they run on the user's system. */
  readonly container?: Container | undefined;
  /** The sandbox for commands. `folio`: Folio creates one for each. */
  readonly sandbox: 'folio' | OuterSandbox;
  /** For example `linux`. */
  readonly platform: string;
  /** For example `bash`. */
  readonly shell: string;
  /** Local day, for example `2026-03-14`. */
  readonly date: string;
  readonly memory: readonly PromptMemory[];
  /** Authenticates folder memory in results; absent if there will be none. */
  readonly memoryKey?: string;
  /** Names of omitted sections. */
  readonly without: readonly string[];
  /** Text of the user's own prompt file, which replaces the sections. */
  readonly own?: string;
}

/** Folio itself runs inside it. */
export type OuterSandbox = 'seatbelt' | 'container' | 'none';

export interface DescribedName {
  readonly name: string;
  /** One line. */
  readonly description: string;
}

export interface ServerInstructions {
  readonly server: string;
  /** Untrusted text of the server. */
  readonly text: string;
}

/** An instruction file. Only trusted ones get here. */
export interface PromptMemory {
  readonly path: string;
  readonly text: string;
}

/** Returns a section's text, or nothing if the facts leave it empty. */
export type Section = (facts: PromptFacts) => string | undefined;

type ModelFamily = 'gemini2' | 'gemini3' | 'other';

/** Older model families stop early and describe calls instead of making them, so they get additional rules. */
export function modelFamily(model: string): ModelFamily {
  const version = /gemini-(\d+)/.exec(model)?.[1];
  if (version === undefined) return 'other';
  return Number(version) <= 2 ? 'gemini2' : 'gemini3';
}

export function hasTool(facts: PromptFacts, name: string): boolean {
  return facts.tools.includes(name);
}

/** Joins the lines that apply; others are `false` or `undefined`. */
export function joinLines(...lines: readonly (string | false | undefined)[]): string {
  return lines.filter(line => typeof line === 'string' && line !== '').join('\n');
}
